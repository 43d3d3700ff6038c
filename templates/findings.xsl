<?xml version="1.0" encoding="UTF-8"?>
<!-- Findings beside their evidence, with the source around them; then the inventory of sections. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<!-- How many findings stand open; the others are folded. -->
<xsl:variable name="shown" select="20"/>

<xsl:template match="findings">
  <section class="card full" id="find" aria-labelledby="h-find">
    <h2 id="h-find">Static findings, and what the runs say about them</h2>
    <p>
      <xsl:value-of select="@words"/>. What the runs confirm comes first.
      <xsl:if test="@suppressed"><xsl:text> </xsl:text><xsl:value-of select="@suppressed"/> more are suppressed or in the baseline.</xsl:if>
      <xsl:if test="@more"><xsl:text> </xsl:text><xsl:value-of select="@more"/> more are in the archive.</xsl:if>
    </p>
    <xsl:if test="finding">
      <xsl:call-template name="finding-table"><xsl:with-param name="rows" select="finding[position() &lt;= $shown]"/><xsl:with-param name="label">Findings with run-time evidence</xsl:with-param></xsl:call-template>
      <xsl:if test="finding[position() &gt; $shown]">
        <details><summary><xsl:value-of select="count(finding) - $shown"/> more findings</summary>
          <xsl:call-template name="finding-table"><xsl:with-param name="rows" select="finding[position() &gt; $shown]"/><xsl:with-param name="label">More findings with run-time evidence</xsl:with-param></xsl:call-template>
        </details>
      </xsl:if>
      <xsl:apply-templates select="listed"/>
      <xsl:apply-templates select="finding/excerpt"/>
    </xsl:if>
    <xsl:if test="unparsed">
      <details><summary>Files that did not parse: <xsl:value-of select="count(unparsed)"/></summary>
        <ul class="plain"><xsl:for-each select="unparsed"><li><code><xsl:value-of select="."/></code><xsl:text> </xsl:text><xsl:value-of select="@status"/><xsl:if test="@why">: <xsl:value-of select="@why"/></xsl:if></li></xsl:for-each></ul>
      </details>
    </xsl:if>
  </section>
</xsl:template>

<xsl:template name="finding-table">
  <xsl:param name="rows"/>
  <xsl:param name="label"/>
  <section class="scroll" tabindex="0" aria-label="Table: {$label}">
  <table class="find">
    <caption class="vh"><xsl:value-of select="$label"/></caption>
    <thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Where</th><th scope="col">Run-time evidence</th></tr></thead>
    <tbody><xsl:apply-templates select="$rows"/></tbody>
  </table>
  </section>
</xsl:template>

<xsl:template match="listed">
  <details><summary>Findings <xsl:value-of select="@from"/> to <xsl:value-of select="@to"/></summary>
    <section class="scroll" tabindex="0" aria-label="Table: findings {@from} to {@to}">
    <table class="data listed">
      <caption class="vh">Findings <xsl:value-of select="@from"/> to <xsl:value-of select="@to"/></caption>
      <thead><tr><th scope="col">Where</th><th scope="col">Severity</th><th scope="col">Rule</th><th scope="col">Function</th><th scope="col">What</th><th scope="col">Evidence</th></tr></thead>
      <tbody><xsl:for-each select="one"><tr><th scope="row"><xsl:call-template name="path"><xsl:with-param name="of" select="@file"/></xsl:call-template>:<xsl:value-of select="@line"/></th><td><xsl:value-of select="@severity"/></td><td><xsl:value-of select="@rule"/></td><td><xsl:value-of select="@function"/></td><td><xsl:value-of select="."/></td><td><xsl:value-of select="@state"/></td></tr></xsl:for-each></tbody>
    </table>
    </section>
  </details>
</xsl:template>

<!-- A path may be broken after each slash. -->
<xsl:template name="path">
  <xsl:param name="of"/>
  <xsl:choose>
    <xsl:when test="contains($of, '/')">
      <xsl:value-of select="concat(substring-before($of, '/'), '/')"/><wbr/>
      <xsl:call-template name="path"><xsl:with-param name="of" select="substring-after($of, '/')"/></xsl:call-template>
    </xsl:when>
    <xsl:otherwise><xsl:value-of select="$of"/></xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template match="finding">
  <tr>
    <td data-l="Severity"><span class="chip {@class}"><xsl:call-template name="symbol"><xsl:with-param name="of" select="@symbol"/></xsl:call-template><xsl:value-of select="@severity"/></span></td>
    <td data-l="Finding"><xsl:value-of select="message"/><xsl:if test="suggestion"><span class="hint"><xsl:value-of select="suggestion"/></span></xsl:if><span class="hint"><code><xsl:value-of select="@rule"/></code>, confidence <xsl:value-of select="@confidence"/></span></td>
    <td class="loc" data-l="Where"><code><xsl:call-template name="path"><xsl:with-param name="of" select="@file"/></xsl:call-template>:<xsl:value-of select="@line"/></code><br/><xsl:value-of select="@function"/></td>
    <td data-l="Evidence">
      <b><xsl:value-of select="evidence/@state"/></b>:<xsl:text> </xsl:text>
      <xsl:choose>
        <xsl:when test="evidence/@href"><a href="{evidence/@href}"><xsl:apply-templates select="evidence/node()"/></a></xsl:when>
        <xsl:otherwise><xsl:apply-templates select="evidence/node()"/></xsl:otherwise>
      </xsl:choose>
    </td>
  </tr>
</xsl:template>

<xsl:template match="excerpt">
  <details>
    <xsl:if test="position() = 1"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
    <summary><xsl:value-of select="../@file"/>:<xsl:value-of select="../@line"/> in <code><xsl:value-of select="../@function"/></code></summary>
    <section aria-label="Source, {../@file} lines {@from} to {@to}"><pre tabindex="0"><code><xsl:apply-templates select="line"/></code></pre></section>
  </details>
</xsl:template>

<xsl:template match="line"><span class="cl {@class}"><span class="n"><xsl:value-of select="@n"/></span><xsl:value-of select="."/><xsl:if test="@note"><em><xsl:text>  ◀ </xsl:text><xsl:value-of select="@note"/></em></xsl:if><xsl:text>
</xsl:text></span></xsl:template>

<xsl:template match="inventory">
  <section class="card full" id="sections" aria-labelledby="h-sections">
    <h2 id="h-sections">Every critical section</h2>
    <p><xsl:value-of select="@words"/>. Cost is in units of one cached memory access.<xsl:if test="@more"><xsl:text> </xsl:text><xsl:value-of select="@more"/> more are in the archive.</xsl:if></p>
    <details>
      <xsl:if test="@count &lt; 13"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
      <summary>Table of sections: <xsl:value-of select="count(critical)"/></summary>
      <section class="scroll" tabindex="0" aria-label="Table: critical sections">
      <table class="data inventory">
        <caption class="vh">Critical sections</caption>
        <thead><tr><th scope="col">Acquired at</th><th scope="col">Function</th><th scope="col">Lock</th><th scope="col">Scope</th><th scope="col">Cost</th><th scope="col">May fault on</th><th scope="col">Calls</th></tr></thead>
        <tbody>
          <xsl:for-each select="critical">
            <tr>
              <th scope="row"><code><xsl:call-template name="path"><xsl:with-param name="of" select="@file"/></xsl:call-template>:<xsl:value-of select="@line"/></code></th>
              <td><code><xsl:value-of select="@function"/></code></td>
              <td><code><xsl:value-of select="@lock"/></code><xsl:if test="@left"> (left held)</xsl:if></td>
              <td><xsl:value-of select="@scope"/></td>
              <td><xsl:value-of select="@cost"/></td>
              <td><xsl:if test="@touches != ''"><code><xsl:value-of select="@touches"/></code></xsl:if><xsl:if test="@touches = ''">–</xsl:if></td>
              <td><xsl:if test="@calls != ''"><code><xsl:value-of select="@calls"/></code></xsl:if><xsl:if test="@calls = ''">–</xsl:if></td>
            </tr>
          </xsl:for-each>
        </tbody>
      </table>
      </section>
    </details>
  </section>
</xsl:template>
</xsl:stylesheet>
