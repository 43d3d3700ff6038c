// Flame graphs as trees: what the page draws, what it holds in numbers, and upside down. flames.js
// draws them.
(function () {
  "use strict";
  var ROW = 22; // pixels
  var FUNCTIONS = 120; // at the top of an inverted graph
  var DEEPEST = 24; // callers below each

  // ---- A graph as a tree: nodes by depth first, parents before children.

  function Tree() {
    this.nodes = [];
  }

  Tree.prototype.add = function (parent, node) {
    node.parent = parent;
    node.depth = parent ? parent.depth + 1 : 0;
    node.kids = [];
    node.at = this.nodes.length;
    if (parent) {
      parent.kids.push(node);
    }
    this.nodes.push(node);
    return node;
  };

  // From what is drawn: a frame lies below the one of the row above that covers it.
  function treeOfPage(frames) {
    var tree = new Tree(), rows = [];
    frames.slice().sort(function (a, b) { return a.y - b.y || a.x - b.x; }).forEach(function (frame) {
      var depth = Math.round(frame.y / ROW);
      var above = (rows[depth - 1] || []).filter(function (f) {
        return frame.x >= f.x - 0.011 && frame.x + frame.width <= f.x + f.width + 0.011;
      })[0];
      frame.node = tree.add(above ? above.node : null, {
        name: frame.name, title: frame.title, style: frame.style, link: frame.link,
        weight: frame.width
      });
      frame.node.depth = depth;
      (rows[depth] = rows[depth] || []).push(frame);
    });
    return tree;
  }

  // From numbers. `links`: where a function stands in the table, by its name.
  function treeOfData(data, links) {
    var tree = new Tree();
    tree.add(null, { name: "all " + data.event, style: "f0" });
    for (var i = 0; i < data.nodes.length; i += 2) {
      var name = data.names[data.nodes[i + 1]], at = tree.nodes.length;
      tree.add(tree.nodes[at - data.nodes[i]], { name: name, style: "f" + data.near[at], link: links[name] });
    }
    return tree;
  }

  // Own weights of the samples that are chosen, summed up towards the root.
  function weigh(tree, data, chosen) {
    var nodes = tree.nodes, cells = data.cells, all = 0, i = 0;
    nodes.forEach(function (node, n) { node.weight = cells ? 0 : data.weights[n]; });
    while (cells && i < cells.length) {
      var thread = cells[i], step = cells[i + 1], count = cells[i + 2], node = 0;
      var counts = (chosen.thread < 0 || thread === chosen.thread) &&
        step >= chosen.from && step < chosen.to;
      for (i += 3; count > 0; count--, i += 2) {
        node += cells[i];
        all += cells[i + 1];
        nodes[node].weight += counts ? cells[i + 1] : 0;
      }
    }
    nodes.forEach(function (node) { node.own = node.weight; });
    for (var n = nodes.length - 1; n > 0; n--) {
      nodes[n].parent.weight += nodes[n].weight;
    }
    return cells ? all : nodes[0].weight;
  }

  // Upside down: what ran at the top, its callers below, the heaviest to the left. As the page's own
  // is made, but of the samples that are chosen.
  function invert(tree) {
    var own = Object.create(null), names = [], upside = new Tree(), all = tree.nodes[0];
    var top = upside.add(null, { name: all.name, style: all.style, weight: all.weight, of: Object.create(null) });

    function child(of, node) {
      var kid = of.of[node.name];
      if (!kid) {
        var target = own[node.name].target, near = +of.style.slice(1);
        kid = of.of[node.name] = upside.add(of, {
          name: node.name, link: node.link, weight: 0, of: Object.create(null),
          style: "f" + (target ? 4 : near > 0 ? Math.max(near - 1, 1) : 0)
        });
      }
      return kid;
    }

    tree.nodes.slice(1).forEach(function (node) {
      if (!own[node.name]) {
        own[node.name] = { weight: 0, target: false, node: node };
        names.push(node.name);
      }
      own[node.name].weight += node.own;
      own[node.name].target = own[node.name].target || node.style === "f4";
    });
    names.filter(function (name) { return own[name].weight > 0; })
      .sort(function (a, b) { return own[b].weight - own[a].weight; })
      .slice(0, FUNCTIONS)
      .forEach(function (name) { child(top, own[name].node); });
    tree.nodes.forEach(function (node) {
      if (node.parent && node.own > 0 && top.of[node.name]) {
        for (var at = top, up = node, deep = 0; up.parent && deep < DEEPEST; up = up.parent, deep++) {
          at = child(at, up);
          at.weight += node.own;
        }
      }
    });
    return upside;
  }

  spinfault.trees = { ROW: ROW, ofPage: treeOfPage, ofData: treeOfData, weigh: weigh, invert: invert };
})();
