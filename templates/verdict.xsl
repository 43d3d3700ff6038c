<?xml version="1.0" encoding="UTF-8"?>
<!-- What happened: heading, tiles, gate. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="verdict">
  <section aria-labelledby="v">
    <xsl:if test="meta"><p class="meta"><xsl:for-each select="meta"><span><xsl:value-of select="."/></span></xsl:for-each></p></xsl:if>
    <xsl:apply-templates select="heading"/>
    <xsl:if test="lede"><p class="lede"><xsl:apply-templates select="lede/node()"/></p></xsl:if>
    <xsl:if test="tile"><ul class="tiles"><xsl:apply-templates select="tile"/></ul></xsl:if>
    <xsl:apply-templates select="gate"/>
  </section>
</xsl:template>

<xsl:template match="heading">
  <h1 id="v">
    <xsl:choose>
      <xsl:when test="@em != '' and contains(., @em)">
        <xsl:value-of select="substring-before(., @em)"/>
        <em class="{@class}"><xsl:value-of select="@em"/></em>
        <xsl:value-of select="substring-after(., @em)"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
    </xsl:choose>
  </h1>
</xsl:template>

<xsl:template match="tile">
  <li>
    <b><xsl:value-of select="@value"/></b>
    <span class="k"><xsl:value-of select="."/></span>
    <xsl:if test="@chip">
      <span class="chip {@class}">
        <xsl:call-template name="symbol"><xsl:with-param name="of" select="@symbol"/></xsl:call-template>
        <xsl:value-of select="@chip"/>
      </span>
    </xsl:if>
  </li>
</xsl:template>

<xsl:template match="gate">
  <div class="gate {@verdict}" role="note" aria-label="Gate">
    <strong>Gate: <xsl:value-of select="@verdict"/></strong>
    <p><xsl:value-of select="text"/></p>
    <xsl:if test="sure"><p class="r"><b>How sure?</b><xsl:text> </xsl:text><xsl:value-of select="sure"/></p></xsl:if>
  </div>
</xsl:template>
</xsl:stylesheet>
