<?xml version="1.0" encoding="UTF-8"?>
<!-- The report as Markdown, for a pull request or an issue: verdict, tables, findings. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text" encoding="UTF-8"/>
<xsl:strip-space elements="*"/>

<xsl:template match="/report">
  <xsl:apply-templates select="verdict"/>
  <xsl:apply-templates select="section[table/row]"/>
  <xsl:apply-templates select="findings"/>
  <xsl:if test="inventory">
    <xsl:text>&#10;## Critical sections&#10;&#10;</xsl:text>
    <xsl:value-of select="concat(inventory/@words, '.&#10;')"/>
  </xsl:if>
  <xsl:apply-templates select="environment"/>
  <xsl:value-of select="concat('&#10;Written by spinfault ', @version, '.&#10;')"/>
</xsl:template>

<xsl:template match="verdict">
  <xsl:value-of select="concat('# ', heading, '&#10;&#10;')"/>
  <xsl:if test="meta">
    <xsl:for-each select="meta"><xsl:if test="position() &gt; 1"> · </xsl:if><xsl:value-of select="."/></xsl:for-each>
    <xsl:text>&#10;&#10;</xsl:text>
  </xsl:if>
  <xsl:if test="lede"><xsl:apply-templates select="lede/node()"/><xsl:text>&#10;&#10;</xsl:text></xsl:if>
  <xsl:for-each select="gate">
    <xsl:value-of select="concat('**Gate: ', @verdict, '.** ', text)"/>
    <xsl:if test="sure"><xsl:value-of select="concat(' ', sure)"/></xsl:if>
    <xsl:text>&#10;</xsl:text>
  </xsl:for-each>
</xsl:template>

<xsl:template match="section">
  <xsl:text>&#10;## </xsl:text><xsl:apply-templates select="title/node()"/><xsl:text>&#10;&#10;</xsl:text>
  <xsl:if test="sub"><xsl:apply-templates select="sub/node()"/><xsl:text>&#10;&#10;</xsl:text></xsl:if>
  <xsl:text>|</xsl:text>
  <xsl:for-each select="table/head/c"><xsl:text> </xsl:text><xsl:call-template name="cell"/><xsl:text> |</xsl:text></xsl:for-each>
  <xsl:text>&#10;|</xsl:text>
  <xsl:for-each select="table/head/c"><xsl:choose><xsl:when test="position() = 1">---|</xsl:when><xsl:otherwise>---:|</xsl:otherwise></xsl:choose></xsl:for-each>
  <xsl:text>&#10;</xsl:text>
  <xsl:for-each select="table/row">
    <xsl:text>|</xsl:text>
    <xsl:for-each select="c"><xsl:text> </xsl:text><xsl:call-template name="cell"/><xsl:text> |</xsl:text></xsl:for-each>
    <xsl:text>&#10;</xsl:text>
  </xsl:for-each>
  <xsl:if test="caption"><xsl:text>&#10;</xsl:text><xsl:apply-templates select="caption/node()"/><xsl:text>&#10;</xsl:text></xsl:if>
</xsl:template>

<xsl:template match="findings">
  <xsl:text>&#10;## Findings&#10;&#10;</xsl:text>
  <xsl:value-of select="concat(@words, '.&#10;&#10;')"/>
  <xsl:if test="finding">
    <xsl:text>| Severity | Finding | Where | Evidence |&#10;|---|---|---|---|&#10;</xsl:text>
    <xsl:for-each select="finding">
      <xsl:value-of select="concat('| ', @severity, ' | ')"/>
      <xsl:for-each select="message"><xsl:call-template name="cell"/></xsl:for-each>
      <xsl:value-of select="concat(' (', @rule, ') | `', @file, ':', @line, '` ', @function, ' | **', evidence/@state, '**: ')"/>
      <xsl:for-each select="evidence"><xsl:call-template name="cell"/></xsl:for-each>
      <xsl:text> |&#10;</xsl:text>
    </xsl:for-each>
    <xsl:if test="listed"><xsl:value-of select="concat('&#10;', @count - count(finding), ' more are on the page and in the archive.&#10;')"/></xsl:if>
  </xsl:if>
</xsl:template>

<xsl:template match="environment">
  <xsl:if test="pair">
    <xsl:text>&#10;## Environment&#10;&#10;</xsl:text>
    <xsl:for-each select="pair">
      <xsl:value-of select="concat('- ', @key, ': ')"/>
      <xsl:for-each select="value">
        <xsl:if test="position() &gt; 1"> · </xsl:if>
        <xsl:value-of select="."/>
        <xsl:if test="@where"><xsl:value-of select="concat(' (', @where, ')')"/></xsl:if>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
  </xsl:if>
</xsl:template>

<xsl:template match="code"><xsl:value-of select="concat('`', ., '`')"/></xsl:template>

<!-- A cell must not end its column. -->
<xsl:template name="cell">
  <xsl:call-template name="escape"><xsl:with-param name="text" select="."/></xsl:call-template>
</xsl:template>
<xsl:template name="escape">
  <xsl:param name="text"/>
  <xsl:choose>
    <xsl:when test="contains($text, '|')">
      <xsl:value-of select="substring-before($text, '|')"/>
      <xsl:text>\|</xsl:text>
      <xsl:call-template name="escape"><xsl:with-param name="text" select="substring-after($text, '|')"/></xsl:call-template>
    </xsl:when>
    <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>
</xsl:stylesheet>
