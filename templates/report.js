// The page reads without this. It adds: light and dark, sorting and filtering of tables, and it opens
// what is folded when a link leads there or the page is printed. trees.js and flames.js do the flame graphs.
(function () {
  "use strict";

  function make(name, attributes, text) {
    var node = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) { node.setAttribute(key, attributes[key]); });
    if (text) {
      node.textContent = text;
    }
    return node;
  }

  function each(list, action) {
    Array.prototype.forEach.call(list, action);
  }

  // ---- Light and dark

  function theme() {
    var root = document.documentElement;
    var button = document.getElementById("theme");
    var system = matchMedia("(prefers-color-scheme: dark)");
    var wanted = /theme=(dark|light)/.exec(location.hash);
    function dark() {
      return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
    }
    function label() {
      button.textContent = dark() ? "Light" : "Dark";
      button.setAttribute("aria-label", button.textContent + " theme");
    }
    if (wanted) {
      root.dataset.theme = wanted[1];
    }
    button.hidden = false;
    button.addEventListener("click", function () {
      root.dataset.theme = dark() ? "light" : "dark";
      label();
    });
    system.addEventListener("change", label);
    label();
  }

  // ---- What is folded

  function folding() {
    var opened = [];
    function reveal() {
      var target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
      var folded = target && target.closest("details");
      if (folded) {
        folded.open = true;
        target.scrollIntoView({ block: "center" });
      }
    }
    addEventListener("beforeprint", function () {
      opened = [].slice.call(document.querySelectorAll("details:not([open])"));
      opened.forEach(function (d) { d.open = true; });
    });
    addEventListener("afterprint", function () {
      opened.forEach(function (d) { d.open = false; });
    });
    addEventListener("hashchange", reveal);
    reveal();
  }

  // ---- Tables

  function value(row, column) {
    var cell = row.cells[column];
    return cell ? cell.textContent.trim() : "";
  }

  // "▼ 0.51× slower" is 0.51, "31,457,280" is a number, "–" is none.
  function number(text) {
    var found = /-?\d[\d,]*(\.\d+)?/.exec(text);
    return found && text.search(/[A-Za-z_]/) !== 0 ? parseFloat(found[0].replace(/,/g, "")) : NaN;
  }

  function sortBy(table, column, down) {
    var body = table.tBodies[0];
    var rows = [].slice.call(body.rows);
    var numeric = rows.every(function (row) {
      var text = value(row, column);
      return text === "–" || text === "" || !isNaN(number(text));
    });
    rows.sort(function (a, b) {
      var x = value(a, column), y = value(b, column), order;
      if (numeric) {
        x = number(x);
        y = number(y);
        if (isNaN(x) || isNaN(y)) {
          return isNaN(x) - isNaN(y);
        }
        order = x - y;
      } else {
        order = x < y ? -1 : x > y ? 1 : 0;
      }
      return down ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
  }

  function sortable(table) {
    if (table.tBodies[0].rows.length < 3) {
      return;
    }
    each(table.tHead.rows[0].cells, function (head, column) {
      var button = make("button", { type: "button", "class": "sort" }, head.textContent);
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        each(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sortBy(table, column, down);
      });
    });
  }

  // One field for the tables of a card; folded tables open while something is looked for and few
  // enough rows have it.
  var OPEN_MOST = 500;

  function filterable(card) {
    var tables = card.querySelectorAll("table.find, table.listed, table.inventory");
    var rows = card.querySelectorAll("table.find tbody tr, table.listed tbody tr, table.inventory tbody tr");
    if (rows.length < 6) {
      return;
    }
    var tools = make("p", { "class": "tools" });
    var name = "filter-" + card.id;
    var field = make("input", { type: "search", id: name, autocomplete: "off" });
    var status = make("span", { role: "status" });
    tools.appendChild(make("label", { "for": name }, "Filter"));
    tools.appendChild(field);
    tools.appendChild(status);
    card.insertBefore(tools, card.querySelector("h2").nextElementSibling.nextElementSibling);
    field.addEventListener("input", function () {
      var wanted = field.value.toLowerCase();
      var shown = 0;
      each(tables, function (table) {
        var folded = table.closest("details"), here = 0;
        each(table.tBodies[0].rows, function (row) {
          row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
          here += !row.hidden;
        });
        shown += here;
        if (folded && wanted) { // thousands of rows at once would make the browser stall
          folded.open = here > 0 && shown <= OPEN_MOST;
        }
      });
      status.textContent = wanted ? shown + " of " + rows.length : "";
    });
  }

  theme();
  folding();
  each(document.querySelectorAll("table.data, table.find"), sortable);
  each(document.querySelectorAll("#find, #sections"), filterable);
  window.spinfault = { make: make, each: each }; // trees.js comes next
})();
