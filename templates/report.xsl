<?xml version="1.0" encoding="UTF-8"?>
<!-- The report as one HTML page. The input is described in docs/report.md. Parameters: css and script
     are put into the page as they are, csp is the policy that allows exactly them. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="html" encoding="UTF-8" indent="no"/>
<xsl:param name="css"/>
<xsl:param name="script"/>
<xsl:param name="csp"/>

<xsl:include href="verdict.xsl"/>
<xsl:include href="panel.xsl"/>
<xsl:include href="findings.xsl"/>
<xsl:include href="environment.xsl"/>

<xsl:template match="/report">
  <html lang="en">
    <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="{$csp}"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="generator" content="spinfault {@version}"/>
      <title><xsl:value-of select="@title"/></title>
      <style><xsl:value-of select="$css" disable-output-escaping="yes"/></style>
    </head>
    <body>
      <a class="skip" href="#main">Skip to the results</a>
      <header class="top">
        <div class="wrap">
          <strong>spinfault report</strong>
          <nav aria-label="Sections">
            <xsl:for-each select="section[@nav]"><a href="#{@id}"><xsl:value-of select="@nav"/></a></xsl:for-each>
            <xsl:if test="findings"><a href="#find">Findings</a></xsl:if>
            <xsl:if test="inventory"><a href="#sections">Sections</a></xsl:if>
            <a href="#env">Environment</a>
          </nav>
          <button id="theme" type="button" hidden="hidden">Dark</button>
        </div>
      </header>
      <main id="main" class="wrap">
        <xsl:apply-templates select="verdict"/>
        <div class="grid">
          <xsl:apply-templates select="section"/>
          <xsl:apply-templates select="findings"/>
          <xsl:apply-templates select="inventory"/>
          <xsl:apply-templates select="environment"/>
        </div>
      </main>
      <footer class="wrap">Written by spinfault <xsl:value-of select="@version"/>. One file: nothing is loaded from anywhere, and it reads without its script.</footer>
      <script><xsl:value-of select="$script" disable-output-escaping="yes"/></script>
    </body>
  </html>
</xsl:template>

<!-- Text with code in it. -->
<xsl:template match="code"><code><xsl:value-of select="."/></code></xsl:template>

<!-- A symbol that repeats what the words beside it say. -->
<xsl:template name="symbol">
  <xsl:param name="of"/>
  <xsl:if test="$of != ''"><span aria-hidden="true"><xsl:value-of select="$of"/></span><xsl:text> </xsl:text></xsl:if>
</xsl:template>
</xsl:stylesheet>
