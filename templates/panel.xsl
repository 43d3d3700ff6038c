<?xml version="1.0" encoding="UTF-8"?>
<!-- A panel: title, legend, chart, table, caption. The heat map is itself a table. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="section">
  <section id="{@id}" aria-labelledby="h-{@id}">
    <xsl:attribute name="class">card<xsl:if test="@wide"> full</xsl:if></xsl:attribute>
    <h2 id="h-{@id}"><xsl:apply-templates select="title/node()"/></h2>
    <xsl:if test="sub"><p><xsl:apply-templates select="sub/node()"/></p></xsl:if>
    <figure>
      <xsl:if test="key"><ul class="key"><xsl:apply-templates select="key"/></ul></xsl:if>
      <xsl:apply-templates select="heat[not(@name)]"/>
      <xsl:if test="heat[@name]"><div class="multiples"><xsl:apply-templates select="heat[@name]"/></div></xsl:if>
      <xsl:if test="heat"><xsl:call-template name="scale"/></xsl:if>
      <xsl:copy-of select="svg"/>
      <xsl:for-each select="more"><details class="more"><summary><xsl:value-of select="@summary"/></summary><xsl:copy-of select="svg"/></details></xsl:for-each>
      <xsl:if test="data"><script type="application/json" class="data-of"><xsl:value-of select="data" disable-output-escaping="yes"/></script></xsl:if>
      <xsl:apply-templates select="table"/>
      <xsl:if test="caption"><figcaption><xsl:apply-templates select="caption/node()"/></figcaption></xsl:if>
    </figure>
  </section>
</xsl:template>

<xsl:template match="key">
  <li>
    <xsl:if test="@shape != 'square'"><xsl:attribute name="class"><xsl:value-of select="@class"/></xsl:attribute></xsl:if>
    <svg aria-hidden="true" viewBox="-8 -7 16 14">
      <xsl:choose>
        <xsl:when test="@shape = 'diamond'"><path class="dia" d="M0-6 6 0 0 6-6 0Z"/></xsl:when>
        <xsl:when test="@shape = 'interval'"><line class="ci" x1="-6" x2="6"/><line class="cm" y1="-6" y2="6"/></xsl:when>
        <xsl:when test="@shape = 'square'"><rect class="{@class}" x="-7" y="-6" width="14" height="12"/></xsl:when>
        <xsl:otherwise><circle class="dot" r="4.5"/></xsl:otherwise>
      </xsl:choose>
    </svg>
    <xsl:value-of select="."/>
  </li>
</xsl:template>

<xsl:template match="table">
  <xsl:choose>
    <xsl:when test="@summary"><details><summary><xsl:value-of select="@summary"/></summary><xsl:call-template name="data"/></details></xsl:when>
    <xsl:otherwise><xsl:call-template name="data"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template name="data">
  <section class="scroll" tabindex="0" aria-label="Table: {@title}">
  <table class="data">
    <caption class="vh"><xsl:value-of select="@title"/></caption>
    <thead><tr><xsl:for-each select="head/c"><th scope="col"><xsl:value-of select="."/></th></xsl:for-each></tr></thead>
    <tbody>
      <xsl:for-each select="row">
        <tr>
          <xsl:copy-of select="@id"/>
          <th scope="row"><xsl:if test="@swatch"><i class="sw {@swatch}"></i></xsl:if><xsl:value-of select="c[1]"/></th>
          <xsl:for-each select="c[position() &gt; 1]"><td><xsl:value-of select="."/></td></xsl:for-each>
        </tr>
      </xsl:for-each>
    </tbody>
  </table>
  </section>
</xsl:template>

<xsl:template match="heat">
  <table>
    <xsl:attribute name="class">heat<xsl:if test="@many"> many</xsl:if><xsl:if test="@name"> small</xsl:if></xsl:attribute>
    <xsl:choose>
      <xsl:when test="@name"><caption><xsl:value-of select="@name"/></caption></xsl:when>
      <xsl:otherwise><caption class="vh"><xsl:value-of select="../title"/></caption></xsl:otherwise>
    </xsl:choose>
    <thead><tr><td></td><xsl:for-each select="column"><th scope="col"><xsl:value-of select="."/></th></xsl:for-each></tr></thead>
    <tbody>
      <xsl:for-each select="row">
        <tr>
          <th scope="row"><xsl:value-of select="@name"/><xsl:if test="@note"><small><xsl:value-of select="@note"/></small></xsl:if></th>
          <xsl:apply-templates select="cell"/>
        </tr>
      </xsl:for-each>
    </tbody>
  </table>
</xsl:template>

<xsl:template name="scale">
  <div class="scale" aria-hidden="true">
    <span>worse</span><i class="hm4">0.5×</i><i class="hm3"></i><i class="hm2">0.71×</i><i class="hm1"></i><i class="h0">1×</i><i class="hp1"></i><i class="hp2">1.41×</i><i class="hp3"></i><i class="hp4">2×</i><span>better</span><i class="nr nrk">not run</i>
  </div>
</xsl:template>

<xsl:template match="cell[@missing]"><td class="nr"><span>not run</span></td></xsl:template>
<xsl:template match="cell">
  <td>
    <xsl:attribute name="class"><xsl:value-of select="@class"/><xsl:if test="@base"> base</xsl:if></xsl:attribute>
    <b><xsl:value-of select="@ratio"/></b>
    <small><xsl:value-of select="@value"/></small>
    <small>
      <xsl:choose>
        <xsl:when test="@base"><span class="vh">baseline, </span></xsl:when>
        <xsl:otherwise><xsl:call-template name="symbol"><xsl:with-param name="of" select="@symbol"/></xsl:call-template></xsl:otherwise>
      </xsl:choose>
      <xsl:value-of select="@runs"/>
    </small>
  </td>
</xsl:template>
</xsl:stylesheet>
