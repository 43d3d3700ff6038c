// What a browser says about a report: no request, no message, no barrier, and the script works.
import { createRequire } from "node:module";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import path from "node:path";

const [, , modules, executablePath, page] = process.argv;
const require = createRequire(path.resolve(modules) + "/");
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { HtmlValidate } = require("html-validate");

let failed = 0;
let passed = 0;
async function test(name, action) {
  try {
    await action();
    passed++;
    console.log("ok", name);
  } catch (error) {
    failed++;
    console.log("not ok", name, "-", error.message);
  }
}

async function open(browser, options) {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  tab.heard = [];
  tab.requests = [];
  tab.on("console", (message) => tab.heard.push(message.text()));
  tab.on("pageerror", (error) => tab.heard.push(String(error)));
  tab.on("request", (request) => tab.requests.push(request.url()));
  await tab.goto("file://" + page);
  return tab;
}

async function looks(browser, width, colorScheme) {
  const tab = await open(browser, { viewport: { width, height: 900 }, colorScheme });
  assert.deepEqual(tab.heard, []);
  assert.equal(tab.requests.length, 1, "the page asks for " + tab.requests.slice(1));
  const size = await tab.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(size <= width, "the page is " + size + " pixels wide");
  await tab.evaluate(axe);
  const result = await tab.evaluate(() => {
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    return axe.run(document);
  });
  assert.deepEqual(result.violations.map((v) => v.id + ": " + v.nodes[0].html), []);
  await tab.context().close();
}

async function searchesAndZooms(tab) {
  await tab.fill("#search-flame", "s_lock");
  assert.equal(await tab.locator("#flame figure > svg rect.match").count(), 1);
  assert.match(await tab.locator("#flame figure > .tools span").textContent(), /56\.0 % of the width/);
  await tab.fill("#search-flame", "");
  const frame = tab.locator("#flame a").filter({ hasText: "StrategyGetBuffer" }).first();
  await frame.focus();
  await tab.keyboard.press("Enter");
  const boxes = tab.locator("#flame figure > svg.flame svg");
  assert.equal(await boxes.filter({ hasText: "ReleaseSlot" }).count(), 0, "nothing is zoomed away");
  const focused = await tab.evaluate(() => document.activeElement.textContent);
  assert.match(focused, /^StrategyGetBuffer/, "the focus is gone");
  assert.match(await tab.locator("#flame figure > .tools span").textContent(), /StrategyGetBuffer: 56/);
  await tab.locator("#flame figure > .tools button").click();
  assert.equal(await boxes.filter({ hasText: "ReleaseSlot" }).count(), 1);
}

const upside = (tab, name) => tab.locator("#flame details svg.flame svg",
  { has: tab.locator("title", { hasText: new RegExp(`^${name}: `) }) });

// The second thread is chosen: the inverted graph shows what ran in it, and its callers.
async function invertedFollows(tab) {
  const graph = tab.locator("#flame details svg.flame");
  assert.equal(await upside(tab, "s_lock").count(), 0);
  await tab.locator("#flame details > summary", { hasText: "Inverted" }).click();
  assert.ok(await graph.locator("text").count() > 0, "frames without names");
  const rows = await graph.locator("svg").evaluateAll((boxes) => boxes.map((box) =>
    [+box.getAttribute("y"), box.querySelector("title").textContent]));
  assert.deepEqual(rows, [[0, "all cpu-clock: 100 %"], [22, "exec_simple_query: 100 %"], [44, "main: 100 %"]]);
  await tab.locator("#flame details > summary", { hasText: "Inverted" }).click();
}

// Of the samples, 20 of 100 are of a second thread, the last of all.
async function choosesThreadAndTime(tab) {
  const graph = tab.locator("#flame figure > svg.flame");
  const status = tab.locator("#flame figure > .tools span");
  const root = () => graph.locator("svg").first().locator("title").textContent();
  await tab.selectOption("#thread-flame", { label: "postgres 11" });
  assert.equal(await status.textContent(), "20.0 % of all weight");
  assert.equal(await graph.locator("svg").filter({ hasText: "s_lock" }).count(), 0);
  assert.equal(await graph.locator("svg").filter({ hasText: "exec_simple_query" }).count(), 1);
  await invertedFollows(tab);
  await tab.selectOption("#thread-flame", { label: "all" });
  assert.equal(await upside(tab, "s_lock").count(), 1, "the inverted graph is not whole again");
  await tab.fill("#from-flame", "0.07");
  await tab.press("#from-flame", "Enter");
  assert.equal(await status.textContent(), "30.0 % of all weight");
  assert.equal(await tab.locator("svg.when.of-flame .out").count(), 70);
  assert.equal(await root(), "all cpu-clock: 100 %");
  await tab.locator("#flame figure > .tools button").click();
  assert.equal(await tab.locator("svg.when.of-flame .out").count(), 0);

  const heat = tab.locator("svg.when.of-flame");
  await heat.scrollIntoViewIfNeeded();
  const place = await heat.boundingBox();
  await tab.mouse.move(place.x + place.width * 0.09, place.y + 130); // the first millisecond
  await tab.mouse.down();
  await tab.mouse.move(place.x + place.width * 0.5, place.y + 130);
  await tab.mouse.up();
  assert.match(await status.textContent(), /^4\d\.0 % of all weight/);
  assert.equal(await graph.locator("svg").filter({ hasText: "hash_search" }).count(), 0);
  await tab.locator("#flame figure > .tools button").click();
}

async function sorts(tab) {
  const table = tab.locator("#runs table.data");
  await table.locator("button.sort").nth(2).click();
  const least = await table.locator("tbody tr").first().locator("td").nth(1).textContent();
  assert.equal(least, "50,751.96");
  assert.equal(await table.locator("th[aria-sort=ascending]").count(), 1);
}

async function reachable(tab) {
  // Every control that a pointer can use can be focused; the theme button changes the theme.
  await tab.locator("#theme").focus();
  await tab.keyboard.press("Enter");
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), "dark");
}

// Tab comes to everything that can be used; in a flame graph the arrows walk on from there.
async function keyboard(tab) {
  await tab.evaluate(() => {
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    scrollTo(0, 0);
    document.activeElement.blur();
  });
  const wanted = await tab.evaluate(() => {
    const all = document.querySelectorAll("a[href], button, input, summary, [tabindex='0']");
    const used = [...all].filter((n) => !n.disabled && n.tabIndex >= 0 && n.getClientRects().length);
    used.forEach((n, i) => n.setAttribute("data-stop", i));
    return used.length;
  });
  const reached = new Set();
  for (let i = 0; i < wanted + 5; i++) {
    await tab.keyboard.press("Tab");
    reached.add(await tab.evaluate(() => document.activeElement.getAttribute("data-stop")));
  }
  reached.delete(null);
  assert.equal(reached.size, wanted, "Tab reaches " + reached.size + " of " + wanted);
  await tab.evaluate(() => document.querySelector("#flame svg.flame [tabindex='0']").focus());
  await tab.keyboard.press("ArrowDown");
  const label = await tab.evaluate(() => document.activeElement.querySelector("title").textContent);
  assert.match(label, /^main: 100 %/);
}

// What is folded opens for print, and the paper has every section.
async function prints(browser) {
  const tab = await open(browser, { viewport: { width: 1280, height: 900 } });
  await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await tab.locator("details:not([open])").count(), 0);
  await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
  await tab.emulateMedia({ media: "print" });
  const hidden = await tab.evaluate(() => [...document.querySelectorAll("section.card")]
    .filter((s) => s.getBoundingClientRect().height < 20 || s.scrollWidth > s.clientWidth + 1)
    .map((s) => s.id));
  assert.deepEqual(hidden, [], "cut or hidden in print: " + hidden);
  const pdf = await tab.pdf({ format: "A4" });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) || [];
  assert.ok(pages.length > 2, "only " + pages.length + " pages");
}

async function nuChecker() {
  let jar;
  try {
    jar = require("vnu-jar");
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch {
    console.log("# skipped: the Nu checker needs java and vnu-jar");
    return;
  }
  const told = spawnSync("java", ["-jar", jar, "--errors-only", "--format", "gnu", page]);
  assert.equal(told.stderr.toString(), "");
}

async function withoutScript(browser) {
  const tab = await open(browser, { javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const text = await tab.locator("main").innerText();
  for (const part of ["0.51×", "31,457,280", "SpinDelay", "confirmed", "lock taken"]) {
    assert.ok(text.includes(part), "without script there is no " + part);
  }
  assert.equal(await tab.locator("#theme").isVisible(), false);
}

async function validates() {
  const report = await new HtmlValidate().validateFile(page);
  const messages = report.results.flatMap((r) => r.messages.map((m) => m.line + ": " + m.message));
  assert.deepEqual(messages, []);
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const width of [1280, 480]) {
  for (const scheme of ["light", "dark"]) {
    await test(`${width} px, ${scheme}`, () => looks(browser, width, scheme));
  }
}
const tab = await open(browser, { viewport: { width: 1280, height: 900 }, colorScheme: "light" });
await test("search and zoom", () => searchesAndZooms(tab));
await test("thread and time", () => choosesThreadAndTime(tab));
await test("sort", () => sorts(tab));
await test("keyboard and theme", () => reachable(tab));
await test("keyboard reaches everything", () => keyboard(tab));
await test("print", () => prints(browser));
await test("without script", () => withoutScript(browser));
await test("html-validate", validates);
await test("Nu checker", nuChecker);
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
