// The page reads without this. It adds: light and dark, search and zoom in flame graphs, sorting and
// filtering of tables, and it opens what is folded when a link leads there or the page is printed.
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

  // One field for the tables of a card; folded tables open while something is looked for.
  function filterable(card) {
    var tables = card.querySelectorAll("table.find, table.inventory");
    var rows = card.querySelectorAll("table.find tbody tr, table.inventory tbody tr");
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
      each(rows, function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
        shown += !row.hidden;
      });
      each(tables, function (table) {
        var folded = table.closest("details");
        if (folded && wanted) {
          folded.open = true;
        }
      });
      status.textContent = wanted ? shown + " of " + rows.length : "";
    });
  }

  // ---- Flame graphs

  function frameOf(box) {
    var title = box.querySelector("title").textContent;
    var text = box.querySelector("text");
    return {
      box: box,
      rect: box.querySelector("rect"),
      text: text,
      title: title,
      name: title.slice(0, title.lastIndexOf(": ")),
      x: parseFloat(box.getAttribute("x")),
      width: parseFloat(box.getAttribute("width")),
      y: parseFloat(box.getAttribute("y")),
      link: box.parentNode.getAttribute("href")
    };
  }

  function within(inner, outer) {
    return inner.x >= outer.x - 0.011 && inner.x + inner.width <= outer.x + outer.width + 0.011;
  }

  // Draws the frames as if `root` were the whole: what is above it fills the width, what is beside it
  // goes. A name is written where there is room for one now.
  function zoom(frames, root, pixels) {
    var scale = 100 / root.width;
    frames.forEach(function (frame) {
      var above = frame.y < root.y && within(root, frame);
      var shown = above || within(frame, root);
      var width = above ? 100 : Math.min(frame.width * scale, 100);
      frame.box.setAttribute("display", shown && width > 0.05 ? "inline" : "none");
      frame.box.setAttribute("x", (above ? 0 : Math.max(0, (frame.x - root.x) * scale)) + "%");
      frame.box.setAttribute("width", width + "%");
      if (!frame.text && shown && width * pixels / 100 > 40) {
        frame.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        frame.text.setAttribute("class", "bt");
        frame.text.setAttribute("x", "6");
        frame.text.setAttribute("y", "15");
        frame.text.textContent = frame.name;
        frame.box.insertBefore(frame.text, frame.box.querySelector("title"));
      }
    });
  }

  // Share of the width that the matching frames cover, frames within frames counted once.
  function covered(matches) {
    var kept = [];
    matches.slice().sort(function (a, b) { return a.y - b.y; }).forEach(function (frame) {
      if (!kept.some(function (other) { return within(frame, other); })) {
        kept.push(frame);
      }
    });
    return kept.reduce(function (sum, frame) { return sum + frame.width; }, 0);
  }

  // One stop of the Tab key for a whole graph; the arrows walk it: up to the caller, down to the
  // first callee, left and right along a row.
  function walk(svg, frames) {
    function stop(frame) {
      return frame.link ? frame.box.parentNode : frame.box;
    }
    function shown(frame) {
      return frame.box.getAttribute("display") !== "none";
    }
    function place(frame) {
      return parseFloat(frame.box.getAttribute("x"));
    }
    function next(from, key) {
      var row = frames.filter(function (f) {
        var step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
        return shown(f) && f !== from && Math.sign(f.y - from.y) === step;
      });
      var near = row.filter(function (f) {
        return key === "ArrowDown" ? within(f, from) && f.y - from.y < 30 :
          key === "ArrowUp" ? within(from, f) && from.y - f.y < 30 :
            f.y === from.y && (key === "ArrowLeft" ? place(f) < place(from) : place(f) > place(from));
      });
      near.sort(function (a, b) { return place(a) - place(b); });
      return key === "ArrowLeft" ? near[near.length - 1] : near[0];
    }
    frames.forEach(function (frame, i) {
      stop(frame).setAttribute("tabindex", i === 0 ? "0" : "-1");
      if (!frame.link) {
        frame.box.setAttribute("role", "button");
      }
    });
    svg.setAttribute("role", "group"); // it was one image
    svg.addEventListener("keydown", function (event) {
      var from = frames.filter(function (f) { return stop(f) === document.activeElement; })[0];
      var to = from && /^Arrow/.test(event.key) && next(from, event.key);
      if (from && !from.link && (event.key === "Enter" || event.key === " ")) {
        from.rect.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        event.preventDefault();
      }
      if (to) {
        stop(from).setAttribute("tabindex", "-1");
        stop(to).setAttribute("tabindex", "0");
        stop(to).focus();
        event.preventDefault();
      }
    });
  }

  function flame(svg) {
    var frames = [].map.call(svg.querySelectorAll("svg"), frameOf);
    var whole = { x: 0, width: 100, y: 0 };
    var name = "search-" + (svg.closest("details") ? svg.closest("section").id + "-more" : svg.closest("section").id);
    var tools = make("p", { "class": "tools" });
    var field = make("input", { type: "search", id: name, autocomplete: "off" });
    var reset = make("button", { type: "button", disabled: "disabled" }, "Whole graph");
    var status = make("span", { role: "status" });
    tools.appendChild(make("label", { "for": name }, "Search"));
    [field, reset, status].forEach(function (node) { tools.appendChild(node); });
    svg.parentNode.insertBefore(tools, svg);
    walk(svg, frames);

    function go(root) {
      zoom(frames, root, svg.clientWidth);
      reset.disabled = root === whole;
    }
    function tell(frame) {
      status.textContent = frame.title;
      if (frame.link) {
        status.appendChild(document.createTextNode(" "));
        status.appendChild(make("a", { href: frame.link }, "in the table"));
      }
    }
    svg.addEventListener("click", function (event) {
      var box = event.target.closest("svg");
      var chosen = frames.filter(function (frame) { return frame.box === box; })[0];
      if (!chosen && event.target.closest("a")) { // the keyboard's Enter lands on the link
        box = event.target.closest("a").querySelector("svg");
        chosen = frames.filter(function (frame) { return frame.box === box; })[0];
      }
      if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      event.preventDefault();
      go(chosen.y === 0 ? whole : chosen);
      tell(chosen);
    });
    reset.addEventListener("click", function () {
      go(whole);
      status.textContent = "";
    });
    field.addEventListener("input", function () {
      var wanted = field.value.toLowerCase();
      var matches = frames.filter(function (frame) {
        var match = wanted !== "" && frame.name.toLowerCase().indexOf(wanted) >= 0;
        frame.rect.classList.toggle("match", match);
        return match;
      });
      svg.classList.toggle("searched", wanted !== "");
      status.textContent = wanted === "" ? "" :
        matches.length + " frames, " + covered(matches).toFixed(1) + " % of the width";
    });
  }

  theme();
  folding();
  each(document.querySelectorAll("table.data, table.find"), sortable);
  each(document.querySelectorAll("#find, #sections"), filterable);
  each(document.querySelectorAll("svg.flame"), flame);
})();
