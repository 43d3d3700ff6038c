// Flame graphs: search, zoom, arrow keys; and where the page holds the numbers of the profile, any
// thread and any part of the time. The graph that the page was written with stays as it is until
// something is asked for.
(function () {
  "use strict";
  var make = spinfault.make, each = spinfault.each, trees = spinfault.trees, ROW = trees.ROW;
  var LEAST = 0.05; // percent of the width; narrower frames are not drawn
  var MOST = 3000; // frames drawn

  function drawn(name, attributes, parent) {
    var node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { node.setAttribute(key, attributes[key]); });
    parent.appendChild(node);
    return node;
  }

  // ---- Drawing

  function percent(part) {
    var points = part * 100;
    return (points > 99.95 ? "100" : points.toFixed(points < 1 ? 2 : 1)) + " %";
  }

  // What is above `root` fills the width, what is beside it goes.
  function layout(tree, root) {
    var frames = [], waiting = [];
    for (var up = root.parent; up; up = up.parent) {
      frames.unshift({ node: up, x: 0, width: 100 });
    }
    waiting.push({ node: root, x: 0, width: 100 });
    while (waiting.length && frames.length < MOST) {
      var frame = waiting.shift(), x = frame.x;
      frames.push(frame);
      frame.node.kids.forEach(function (kid) {
        var width = 100 * kid.weight / root.weight;
        if (width >= LEAST) {
          waiting.push({ node: kid, x: x, width: width });
        }
        x += width;
      });
    }
    return frames;
  }

  function draw(svg, frames, all) {
    var depth = 0, pixels = svg.clientWidth;
    frames.forEach(function (frame) {
      var node = frame.node, place = svg;
      depth = Math.max(depth, node.depth);
      if (node.link) {
        place = drawn("a", { href: node.link }, svg);
      }
      frame.box = drawn("svg", {
        x: frame.x + "%", y: node.depth * ROW, width: frame.width + "%", height: ROW - 1
      }, place);
      frame.rect = drawn("rect", { "class": node.style, width: "100%", height: "100%" }, frame.box);
      if (frame.width * pixels / 100 > 40) {
        var text = drawn("text", { "class": "bt", x: 6, y: 15 }, frame.box);
        text.textContent = node.name;
        if (frame.width * pixels / 100 > 120 && !node.title) {
          drawn("tspan", { "class": "fp", dx: 8 }, text).textContent = percent(node.weight / all);
        }
      }
      drawn("title", {}, frame.box).textContent =
        node.title || node.name + ": " + percent(node.weight / all);
      frame.link = node.link;
    });
    svg.setAttribute("height", (depth + 1) * ROW);
  }

  function frameOf(box) {
    var title = box.querySelector("title").textContent, rect = box.querySelector("rect");
    return {
      box: box,
      rect: rect,
      title: title,
      name: title.slice(0, title.lastIndexOf(": ")),
      style: rect.getAttribute("class"),
      x: parseFloat(box.getAttribute("x")),
      width: parseFloat(box.getAttribute("width")),
      y: parseFloat(box.getAttribute("y")),
      link: box.parentNode.getAttribute("href")
    };
  }

  // ---- One stop of the Tab key for a whole graph; the arrows walk it: up to the caller, down to the
  // first callee, left and right along a row.

  function stop(frame) {
    return frame.link ? frame.box.parentNode : frame.box;
  }

  function stops(frames, first) {
    frames.forEach(function (frame) {
      stop(frame).setAttribute("tabindex", frame === first ? "0" : "-1");
      if (!frame.link) {
        frame.box.setAttribute("role", "button");
      }
    });
  }

  function next(frames, from, key) {
    var near = frames.filter(function (f) {
      return key === "ArrowDown" ? f.node.parent === from.node :
        key === "ArrowUp" ? f.node === from.node.parent :
          f.node.depth === from.node.depth && f !== from && (key === "ArrowLeft" ? f.x < from.x : f.x > from.x);
    });
    near.sort(function (a, b) { return a.x - b.x; });
    return key === "ArrowLeft" ? near[near.length - 1] : near[0];
  }

  // ---- A graph with its tools

  var mains = {}; // by section: the graph that has numbers; the inverted one comes after it

  function flame(svg) {
    var home = svg.closest("section"), inverted = svg.closest("details") !== null;
    var written = [].slice.call(svg.childNodes), height = svg.getAttribute("height");
    var frames = [].map.call(svg.querySelectorAll("svg"), frameOf);
    var first = frames.slice(), pageTree = null, dataTree = null, data = null;
    var root = null, all = 100;
    var holder = home.querySelector("script.data-of");
    var isMain = holder && svg === home.querySelector("svg.flame");
    var main = isMain ? null : mains[home.id]; // whose numbers this graph shows upside down
    var chosen = main ? main.chosen : { thread: -1, from: 0, to: Infinity };
    var name = "search-" + home.id + (inverted && !isMain ? "-more" : "");

    var tools = make("p", { "class": "tools" });
    var field = make("input", { type: "search", id: name, autocomplete: "off" });
    var reset = make("button", { type: "button", disabled: "disabled" }, "Whole graph");
    var status = make("span", { role: "status" });
    tools.appendChild(make("label", { "for": name }, "Search"));
    tools.appendChild(field);
    [reset, status].forEach(function (node) { tools.appendChild(node); });
    svg.parentNode.insertBefore(tools, svg);
    svg.setAttribute("role", "group"); // it was one image

    function isAll() {
      return chosen.thread < 0 && chosen.from <= 0 && chosen.to === Infinity;
    }

    function isWhole() {
      return (!root || !root.parent) && isAll();
    }

    function tree() {
      if (!pageTree) {
        pageTree = trees.ofPage(first);
        first.forEach(function (frame) { frame.node.frame = frame; });
      }
      if (!data) {
        return main && !isAll() ? dataTree : pageTree;
      }
      if (!dataTree) {
        var links = {};
        each(home.querySelectorAll("table.data tbody tr[id]"), function (row) {
          links[row.cells[0].textContent] = "#" + row.id;
        });
        dataTree = trees.ofData(data, links);
        all = trees.weigh(dataTree, data, chosen);
      }
      return dataTree;
    }

    // The node of the numbers that a frame of the page is, or the nearest above it.
    function nodeOf(frame) {
      tree();
      if (!data || !frame.node || dataTree.nodes[frame.node.at] === frame.node) {
        return frame.node;
      }
      var path = [], node = dataTree.nodes[0];
      for (var up = frame.node; up.parent; up = up.parent) {
        path.unshift(up.name);
      }
      path.every(function (step) {
        var kid = node.kids.filter(function (k) { return k.name === step; })[0];
        node = kid || node;
        return kid;
      });
      return node;
    }

    function empty() {
      while (svg.lastChild) {
        svg.removeChild(svg.lastChild);
      }
      written.slice(0, 2).forEach(function (node) { svg.appendChild(node); }); // title and description
    }

    // Draws the part that is chosen below `root`. Focus stays where it was.
    function show() {
      var focused = svg.contains(document.activeElement);
      empty();
      if (isWhole()) {
        written.forEach(function (node) { svg.appendChild(node); });
        svg.setAttribute("height", height);
        frames = first;
      } else {
        frames = root.weight > 0 ? layout(tree(), root) : [];
        draw(svg, frames, tree().nodes[0].weight || 1);
      }
      var here = frames.filter(function (f) { return f.node === root; })[0] || frames[0];
      stops(frames, here);
      if (focused && here) {
        stop(here).focus();
      }
      reset.disabled = isWhole();
      mark();
    }

    function mark() {
      var wanted = field.value.toLowerCase();
      svg.classList.toggle("searched", wanted !== "");
      frames.forEach(function (frame) {
        frame.rect.classList.toggle("match", wanted !== "" &&
          (frame.node || frame).name.toLowerCase().indexOf(wanted) >= 0);
      });
      return wanted;
    }

    // Frames within frames count once.
    function search() {
      var wanted = mark(), found = 0, covered = 0;
      var nodes = tree().nodes, under = [];
      nodes.forEach(function (node, i) {
        var match = wanted !== "" && node.weight > 0 && node.name.toLowerCase().indexOf(wanted) >= 0;
        found += match;
        covered += match && !(node.parent && under[node.parent.at]) ? node.weight : 0;
        under[i] = match || (node.parent && under[node.parent.at]);
      });
      status.textContent = wanted === "" ? "" :
        found + " frames, " + (100 * covered / (nodes[0].weight || 1)).toFixed(1) + " % of the width";
    }

    function tell(frame) {
      status.textContent = frame.box.querySelector("title").textContent;
      if (frame.link) {
        status.appendChild(document.createTextNode(" "));
        status.appendChild(make("a", { href: frame.link }, "in the table"));
      }
    }

    function choose(box, event) {
      var frame = frames.filter(function (f) { return f.box === box; })[0];
      if (!frame || event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      event.preventDefault();
      tell(frame);
      tree();
      if (frame.style === "fx" && !data) {
        return;
      }
      root = nodeOf(frame);
      show();
    }

    svg.addEventListener("click", function (event) {
      var link = event.target.closest("a"); // the keyboard's Enter lands on the link
      choose(event.target.closest("svg") === svg && link ? link.querySelector("svg") : event.target.closest("svg"), event);
    });
    svg.addEventListener("keydown", function (event) {
      tree();
      var from = frames.filter(function (f) { return stop(f) === document.activeElement; })[0];
      var to = from && /^Arrow/.test(event.key) && next(frames, from, event.key);
      if (from && !from.link && (event.key === "Enter" || event.key === " ")) {
        choose(from.box, event);
      }
      if (to) {
        stops(frames, to);
        stop(to).focus();
        event.preventDefault();
      }
    });
    field.addEventListener("input", search);
    function whole() {
      root = null;
      if (data && !isAll()) {
        chosen.thread = -1;
        chosen.from = 0;
        chosen.to = Infinity;
        change();
      } else {
        show();
      }
      status.textContent = "";
    }
    reset.addEventListener("click", function () {
      if (main && !isAll()) {
        main.whole();
      }
      whole();
    });
    stops(frames, frames.filter(function (f) { return f.style !== "fx"; })[0]);

    // Another thread or time: the zoom stays where there is something of it.
    function change() {
      tree();
      all = trees.weigh(dataTree, data, chosen);
      root = root && dataTree.nodes[root.at] === root ? root : dataTree.nodes[0];
      while (root.parent && root.weight === 0) {
        root = root.parent;
      }
      parts.show(chosen);
      show();
      status.textContent = percent(dataTree.nodes[0].weight / all) + " of all weight";
      if (self.follow) {
        self.follow(dataTree);
      }
    }

    // The main graph chose another part.
    function follow(tree) {
      dataTree = isAll() ? null : trees.invert(tree);
      root = dataTree && dataTree.nodes[0];
      show();
      status.textContent = "";
    }
    var self = { chosen: chosen, whole: whole };
    if (main) {
      main.follow = follow;
      svg.closest("details").addEventListener("toggle", function () { // folded, it had no width
        if (!isWhole()) {
          show();
        }
      });
    }
    var parts = { show: function () {} };
    if (isMain) {
      data = JSON.parse(holder.textContent);
      mains[home.id] = self;
      if (data.cells) {
        parts = partsOf(home, data, tools, reset, chosen, change);
      }
    }
  }

  // ---- Thread and time

  // Fields beside the search, and the heat map: dragging over it chooses a time.
  function partsOf(home, data, tools, before, chosen, change) {
    var heat = document.querySelector("svg.when.of-" + data.flame);
    var id = home.id, thread, from, to, told;

    function add(label, node) {
      tools.insertBefore(make("label", { "for": node.id }, label), before);
      tools.insertBefore(node, before);
      return node;
    }
    function seconds(step) {
      return +(step * data.step).toPrecision(6);
    }
    function number(label, name) {
      return add(label, make("input", {
        type: "number", id: name + "-" + id, min: 0, max: seconds(data.steps), step: data.step
      }));
    }
    if (data.threads.length > 1) {
      thread = add("Thread", make("select", { id: "thread-" + id }));
      thread.appendChild(make("option", { value: "-1" }, "all"));
      data.threads.forEach(function (name, i) {
        thread.appendChild(make("option", { value: i }, name));
      });
      thread.addEventListener("change", function () {
        chosen.thread = +thread.value;
        change();
      });
    }
    if (data.steps > 1) {
      from = number("From", "from");
      to = number("to", "to");
      tools.insertBefore(document.createTextNode("s"), before);
      [from, to].forEach(function (field) {
        field.addEventListener("change", function () {
          var a = Math.floor(+from.value / data.step + 1e-6);
          var b = to.value === "" ? Infinity : Math.ceil(+to.value / data.step - 1e-6);
          chosen.from = Math.max(0, Math.min(a, data.steps - 1));
          chosen.to = b > chosen.from && b < data.steps ? b : Infinity;
          change();
        });
      });
    }

    function shade() {
      each(heat.querySelectorAll("svg"), function (box) {
        var column = Math.round((parseFloat(box.getAttribute("x")) - data.heat.left) / (100 - data.heat.left) *
          data.heat.columns);
        var row = data.heat.rows - 1 - Math.round(parseFloat(box.getAttribute("y")) / data.heat.cell);
        var step = Math.floor((column * data.heat.rows + row) / data.buckets);
        box.classList.toggle("out", step < chosen.from || step >= chosen.to);
      });
    }
    function show() {
      var limited = chosen.from > 0 || chosen.to !== Infinity;
      if (thread) {
        thread.value = chosen.thread;
      }
      if (from) {
        from.value = limited ? seconds(chosen.from) : "";
        to.value = limited ? seconds(Math.min(chosen.to, data.steps)) : "";
      }
      if (heat) {
        shade();
        told.textContent = limited ? from.value + " s to " + to.value + " s: " : "";
        if (limited) {
          told.appendChild(make("a", { href: "#" + id }, "the flame graph of it"));
        }
      }
    }

    // The bucket under the pointer.
    function stepAt(event) {
      var place = heat.getBoundingClientRect();
      var x = (event.clientX - place.left) / place.width * 100 - data.heat.left;
      var column = Math.floor(x / (100 - data.heat.left) * data.heat.columns);
      var row = data.heat.rows - 1 - Math.floor((event.clientY - place.top) / data.heat.cell);
      column = Math.max(0, Math.min(column, data.heat.columns - 1));
      row = Math.max(0, Math.min(row, data.heat.rows - 1));
      return Math.floor((column * data.heat.rows + row) / data.buckets);
    }
    function pulled() {
      var start = -1;
      function select(event) {
        var end = stepAt(event);
        chosen.from = Math.min(start, end);
        chosen.to = Math.max(start, end) + 1;
        if (chosen.from === 0 && chosen.to >= data.steps) {
          chosen.to = Infinity;
        }
      }
      heat.addEventListener("pointerdown", function (event) {
        start = stepAt(event);
        heat.setPointerCapture(event.pointerId);
        event.preventDefault();
      });
      heat.addEventListener("pointermove", function (event) {
        if (start >= 0) {
          select(event);
          show();
        }
      });
      heat.addEventListener("pointerup", function (event) {
        if (start >= 0) {
          select(event);
          start = -1;
          change();
        }
      });
      heat.addEventListener("pointercancel", function () { start = -1; });
    }
    if (heat && from) {
      told = make("span", { role: "status" });
      var line = make("p", { "class": "tools" }, "Drag over the map to choose a time. ");
      line.appendChild(told);
      heat.parentNode.insertBefore(line, heat);
      heat.classList.add("pull");
      pulled();
    } else {
      heat = null;
    }
    return { show: show };
  }

  each(document.querySelectorAll("svg.flame"), flame);
})();
