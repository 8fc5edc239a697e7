/// The page that shows the tilesets. It needs nothing from other servers.
enum MapPage {
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,">
        <title>Rhumb</title>
        <style>
        html, body { margin: 0; height: 100%; font: 14px system-ui, sans-serif; }
        #map { position: absolute; inset: 0; isolation: isolate; overflow: hidden; background: #d8dde2; cursor: grab; touch-action: none; }
        #map:active { cursor: grabbing; }
        #map img { position: absolute; user-select: none; -webkit-user-drag: none; }
        #names { position: absolute; width: 100%; height: 100%; z-index: 2; pointer-events: none; }
        .box { position: absolute; background: #ffffffe0; padding: 4px 8px; border-radius: 4px; }
        #choice { left: 8px; top: 8px; }
        #zoom { right: 8px; top: 8px; padding: 0; }
        #zoom button { display: block; width: 32px; height: 32px; border: 0; background: none; font-size: 20px; }
        #credits { right: 0; bottom: 0; border-radius: 4px 0 0 0; }
        #place { left: 0; bottom: 0; border-radius: 0 4px 0 0; font-variant-numeric: tabular-nums; }
        </style>
        </head>
        <body>
        <div id="map"><canvas id="names"></canvas></div>
        <div id="choice" class="box"><select aria-label="Map"></select></div>
        <div id="zoom" class="box"><button aria-label="Zoom in">+</button><button aria-label="Zoom out">−</button></div>
        <div id="place" class="box"></div>
        <div id="credits" class="box"></div>
        <script>
        "use strict";
        const map = document.getElementById("map"), choice = document.querySelector("select");
        let sets = [], set = null, zoom = 2, x = 0.5, y = 0.5, images = new Map(), names = new Map();
        const paper = document.getElementById("names"), pen = paper.getContext("2d"), widths = new Map();
        const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
        const project = (longitude, latitude) => {
          const sine = Math.sin(clamp(latitude, -85.05, 85.05) * Math.PI / 180);
          return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
        };
        const latitude = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

        function draw() {
          if (!set) return;
          const side = set.tilesize, offset = Math.log2(side / 256), width = map.clientWidth, height = map.clientHeight;
          const level = clamp(Math.round(zoom - offset), set.minzoom, set.maxdrawn), count = 2 ** level;
          const size = 256 * 2 ** zoom / count, left = x * count - width / 2 / size, top = y * count - height / 2 / size;
          const wanted = new Set(), places = [];
          for (let row = Math.max(0, Math.floor(top)); row < Math.min(count, top + height / size); row++) {
            for (let column = Math.floor(left); column < left + width / size; column++) {
              const wrapped = ((column % count) + count) % count, key = `${set.id}/${level}/${column}/${row}`;
              wanted.add(key);
              const address = template => template.replace("{z}", level).replace("{x}", wrapped).replace("{y}", row);
              let image = images.get(key);
              if (!image) {
                image = load(address(set.shown));
                images.set(key, image);
                map.append(image);
              }
              if (set.names && !names.has(key)) read(key, address(set.names));
              const x0 = Math.round((column - left) * size), y0 = Math.round((row - top) * size);
              image.style.left = x0 + "px";
              image.style.top = y0 + "px";
              image.style.width = Math.round((column + 1 - left) * size) - x0 + "px";
              image.style.height = Math.round((row + 1 - top) * size) - y0 + "px";
              image.style.zIndex = 1;
              places.push({key, x0, y0, size});
            }
          }
          // Tiles of other zooms stay below until the new ones have loaded.
          const isLoading = [...wanted].some(key => !images.get(key).complete);
          for (const [key, image] of images) {
            if (wanted.has(key)) continue;
            const [, z, column, row] = key.match(/\\/(\\d+)\\/(-?\\d+)\\/(\\d+)$/), other = 256 * 2 ** (zoom - z);
            const x0 = column * other - x * 256 * 2 ** zoom + width / 2, y0 = row * other - y * 256 * 2 ** zoom + height / 2;
            if (!isLoading || !key.startsWith(set.id + "/") || x0 > width || y0 > height || x0 + other < 0 || y0 + other < 0) {
              image.remove();
              images.delete(key);
              continue;
            }
            Object.assign(image.style, {left: x0 + "px", top: y0 + "px", width: other + "px", height: other + "px", zIndex: 0});
          }
          write(places);
          for (const key of names.keys()) if (names.size > 400 && !wanted.has(key)) names.delete(key);
          document.getElementById("place").textContent =
            `${latitude(y).toFixed(4)}, ${(((x % 1 + 1) % 1) * 360 - 180).toFixed(4)}  z${zoom.toFixed(1)}`;
        }

        // A busy server answers a later request. The browser stores that a tile is absent.
        function load(address) {
          const image = new Image();
          let failures = 0;
          image.alt = "";
          image.draggable = false;
          image.style.visibility = "hidden";
          image.onload = () => { image.style.visibility = ""; };
          image.onerror = () => {
            if (++failures < 5) setTimeout(() => { if (image.isConnected) image.src = address; }, 500 * 2 ** failures);
          };
          image.src = address;
          return image;
        }

        function read(key, address) {
          names.set(key, []);
          fetch(address).then(response => {
            if (response.status === 503) setTimeout(() => names.delete(key), 1000);
            return response.ok ? response.json() : [];
          }).then(list => {
            if (!list.length) return;
            names.set(key, list);
            draw();
          }).catch(() => {});
        }

        // Writes the names of the visible tiles, the largest first, where they don't overlap.
        function write(places) {
          const ratio = devicePixelRatio || 1, boxes = [];
          paper.width = map.clientWidth * ratio;
          paper.height = map.clientHeight * ratio;
          pen.scale(ratio, ratio);
          Object.assign(pen, {textAlign: "center", textBaseline: "middle", lineJoin: "round", lineWidth: 3});
          const labels = places.flatMap(({key, x0, y0, size}) => (names.get(key) || []).map((label, order) =>
            ({label, order, size, x: x0 + label.x * size, y: y0 + label.y * size})));
          labels.sort((a, b) => b.label.size - a.label.size || a.order - b.order);
          for (const {label, size, x, y} of labels) {
            const key = label.size + " " + label.text, angle = label.angle || 0;
            pen.font = `${label.size}px system-ui, sans-serif`;
            if (!widths.has(key)) {
              if (widths.size > 5000) widths.clear();
              widths.set(key, pen.measureText(label.text).width);
            }
            const length = widths.get(key), c = Math.abs(Math.cos(angle)), s = Math.abs(Math.sin(angle));
            if (label.length !== undefined && length > label.length * size) continue;
            const width = (length * c + label.size * s) / 2 + 3, height = (length * s + label.size * c) / 2 + 3;
            const isCovered = boxes.some(box => Math.abs(box.x - x) < box.width + width && Math.abs(box.y - y) < box.height + height
              || box.text === label.text && Math.hypot(box.x - x, box.y - y) < 300);
            if (isCovered) continue;
            boxes.push({x, y, width, height, text: label.text});
            pen.save();
            pen.translate(x, y);
            pen.rotate(angle);
            if (label.halo) {
              pen.strokeStyle = label.halo;
              pen.strokeText(label.text, 0, 0);
            }
            pen.fillStyle = label.colour;
            pen.fillText(label.text, 0, 0);
            pen.restore();
          }
        }

        function move(dx, dy) {
          const world = 256 * 2 ** zoom;
          x = (x + dx / world + 1) % 1;
          y = clamp(y + dy / world, 0, 1);
          draw();
        }

        function zoomBy(step, px = map.clientWidth / 2, py = map.clientHeight / 2) {
          if (!set) return;
          const before = 256 * 2 ** zoom, dx = px - map.clientWidth / 2, dy = py - map.clientHeight / 2;
          zoom = clamp(zoom + step, set.minzoom, set.maxzoom + 3);
          const after = 256 * 2 ** zoom;
          x = (x + dx / before - dx / after + 1) % 1;
          y = clamp(y + dy / before - dy / after, 0, 1);
          draw();
        }

        function show(index) {
          set = sets[index];
          images.forEach(image => image.remove());
          images.clear();
          names.clear();
          const b = set.bounds || [-180, -85, 180, 85];
          [x, y] = project((b[0] + b[2]) / 2, (b[1] + b[3]) / 2);
          if (set.center) [x, y] = project(set.center[0], set.center[1]);
          const [x0, y0] = project(b[0], b[3]), [x1, y1] = project(b[2], b[1]);
          const fit = Math.log2(Math.min(map.clientWidth / (x1 - x0), map.clientHeight / (y1 - y0)) / 256);
          zoom = clamp(fit, set.minzoom, set.maxzoom);
          document.title = set.name + " – Rhumb";
          document.getElementById("credits").textContent = set.attribution;
          draw();
        }

        const fingers = new Map();
        map.addEventListener("pointerdown", event => {
          map.setPointerCapture(event.pointerId);
          fingers.set(event.pointerId, event);
        });
        map.addEventListener("pointermove", event => {
          const last = fingers.get(event.pointerId);
          if (!last) return;
          if (fingers.size === 2) {
            const other = [...fingers.values()].find(finger => finger.pointerId !== event.pointerId);
            const distance = finger => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
            zoomBy(Math.log2(distance(event) / distance(last)) || 0,
              (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
          } else {
            move(last.clientX - event.clientX, last.clientY - event.clientY);
          }
          fingers.set(event.pointerId, event);
        });
        for (const end of ["pointerup", "pointercancel"]) {
          map.addEventListener(end, event => fingers.delete(event.pointerId));
        }
        map.addEventListener("wheel", event => {
          event.preventDefault();
          zoomBy(clamp(-event.deltaY / 200, -1, 1), event.clientX, event.clientY);
        }, {passive: false});
        map.addEventListener("dblclick", event => zoomBy(1, event.clientX, event.clientY));
        addEventListener("keydown", event => {
          const keys = {ArrowLeft: [-100, 0], ArrowRight: [100, 0], ArrowUp: [0, -100], ArrowDown: [0, 100]};
          if (keys[event.key]) move(...keys[event.key]);
          if (event.key === "+") zoomBy(1);
          if (event.key === "-") zoomBy(-1);
        });
        addEventListener("resize", draw);
        const [closer, farther] = document.querySelectorAll("#zoom button");
        closer.onclick = () => zoomBy(1);
        farther.onclick = () => zoomBy(-1);
        choice.onchange = () => show(choice.selectedIndex);
        setInterval(draw, 500);

        fetch("catalog.json").then(response => response.json()).then(catalog => {
          sets = catalog.tilesets.filter(set => set.shown);
          for (const set of sets) {
            set.maxdrawn = set.shown.includes("/render/") ? Math.min(set.maxzoom + 3, 22) : set.maxzoom;
            choice.add(new Option(set.name));
          }
          if (sets.length < 2) document.getElementById("choice").hidden = true;
          if (sets.length) show(0);
        });
        </script>
        </body>
        </html>
        """
}
