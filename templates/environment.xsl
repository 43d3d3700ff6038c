<?xml version="1.0" encoding="UTF-8"?>
<!-- Environment with its differences, the sources of the data, and how the numbers are made. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="environment">
  <section class="card full" id="env" aria-labelledby="h-env">
    <h2 id="h-env">Environment</h2>
    <xsl:if test="pair"><p>Two results are comparable only where all but the studied settings are the same. What differs comes first.</p></xsl:if>
    <dl class="env">
      <xsl:apply-templates select="pair"/>
      <xsl:for-each select="scan">
        <div><dt>scanned</dt><dd><xsl:value-of select="@root"/><xsl:if test="@commit">, commit <xsl:value-of select="@commit"/></xsl:if>: <xsl:value-of select="@parsed"/> of <xsl:value-of select="@files"/> files had to be parsed<xsl:if test="@failed &gt; 0">, <xsl:value-of select="@failed"/> failed</xsl:if><xsl:if test="@degraded &gt; 0">, <xsl:value-of select="@degraded"/> in part</xsl:if></dd></div>
      </xsl:for-each>
    </dl>
    <xsl:if test="source">
      <details><summary>Sources: <xsl:value-of select="count(source)"/> files</summary>
        <section class="scroll" tabindex="0" aria-label="Table: sources">
        <table class="data">
          <caption class="vh">Files that the numbers come from</caption>
          <thead><tr><th scope="col">File</th><th scope="col">Format</th><th scope="col">Size</th><th scope="col">Records</th><th scope="col">Skipped</th><th scope="col">SHA-256</th></tr></thead>
          <tbody><xsl:for-each select="source"><tr><th scope="row"><xsl:value-of select="."/></th><td><xsl:value-of select="@format"/></td><td><xsl:value-of select="@bytes"/></td><td><xsl:value-of select="@records"/></td><td><xsl:choose><xsl:when test="@skipped"><xsl:value-of select="@skipped"/></xsl:when><xsl:otherwise>0</xsl:otherwise></xsl:choose></td><td><code><xsl:value-of select="@sha256"/></code></td></tr></xsl:for-each></tbody>
        </table>
        </section>
      </details>
    </xsl:if>
    <xsl:if test="../methods/p"><details><summary>How the numbers are made</summary><xsl:for-each select="../methods/p"><p class="sub"><xsl:value-of select="."/></p></xsl:for-each></details></xsl:if>
  </section>
</xsl:template>

<xsl:template match="pair">
  <div>
    <xsl:if test="@differs"><xsl:attribute name="class">differs <xsl:value-of select="@differs"/></xsl:attribute></xsl:if>
    <dt><xsl:value-of select="@key"/></dt>
    <dd>
      <xsl:if test="@differs = 'yes'"><b class="mark">differs</b><xsl:text> </xsl:text></xsl:if>
      <xsl:for-each select="value">
        <xsl:if test="position() &gt; 1"><xsl:text> · </xsl:text></xsl:if>
        <xsl:value-of select="."/>
        <xsl:if test="@where"><small> (<xsl:value-of select="@where"/>)</small></xsl:if>
      </xsl:for-each>
    </dd>
  </div>
</xsl:template>
</xsl:stylesheet>
