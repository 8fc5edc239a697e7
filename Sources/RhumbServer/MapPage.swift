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
        #map { position: absolute; inset: 0; overflow: hidden; background: #d8dde2; cursor: grab; touch-action: none; }
        #map:active { cursor: grabbing; }
        #map img { position: absolute; user-select: none; -webkit-user-drag: none; }
        .box { position: absolute; background: #ffffffe0; padding: 4px 8px; border-radius: 4px; }
        #choice { left: 8px; top: 8px; }
        #zoom { right: 8px; top: 8px; padding: 0; }
        #zoom button { display: block; width: 32px; height: 32px; border: 0; background: none; font-size: 20px; }
        #credits { right: 0; bottom: 0; border-radius: 4px 0 0 0; }
        #place { left: 0; bottom: 0; border-radius: 0 4px 0 0; font-variant-numeric: tabular-nums; }
        </style>
        </head>
        <body>
        <div id="map"></div>
        <div id="choice" class="box"><select aria-label="Map"></select></div>
        <div id="zoom" class="box"><button aria-label="Zoom in">+</button><button aria-label="Zoom out">−</button></div>
        <div id="place" class="box"></div>
        <div id="credits" class="box"></div>
        <script>
        "use strict";
        const map = document.getElementById("map"), choice = document.querySelector("select");
        let sets = [], set = null, zoom = 2, x = 0.5, y = 0.5, images = new Map();
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
          const wanted = new Set();
          for (let row = Math.max(0, Math.floor(top)); row < Math.min(count, top + height / size); row++) {
            for (let column = Math.floor(left); column < left + width / size; column++) {
              const wrapped = ((column % count) + count) % count, key = `${set.id}/${level}/${column}/${row}`;
              wanted.add(key);
              let image = images.get(key);
              if (!image) {
                image = new Image();
                image.alt = "";
                image.draggable = false;
                image.onerror = () => { image.style.visibility = "hidden"; };
                image.src = set.template.replace("{z}", level).replace("{x}", wrapped).replace("{y}", row);
                images.set(key, image);
                map.append(image);
              }
              const x0 = Math.round((column - left) * size), y0 = Math.round((row - top) * size);
              image.style.left = x0 + "px";
              image.style.top = y0 + "px";
              image.style.width = Math.round((column + 1 - left) * size) - x0 + "px";
              image.style.height = Math.round((row + 1 - top) * size) - y0 + "px";
              image.style.zIndex = 1;
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
          document.getElementById("place").textContent =
            `${latitude(y).toFixed(4)}, ${(((x % 1 + 1) % 1) * 360 - 180).toFixed(4)}  z${zoom.toFixed(1)}`;
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
            set.template = set.shown;
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
