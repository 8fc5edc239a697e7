# Rhumb: `make run` opens the map, `make test` runs every test, `make help` lists the rest.

PREFIX ?= /usr/local
SWIFT ?= swift
ARGS ?=
PACKAGES = libncurses-dev libsqlite3-dev libspng-dev libturbojpeg0-dev libwebp-dev zlib1g-dev libdeflate-dev libcurl4-openssl-dev libcairo2-dev libexpat1-dev libmicrohttpd-dev
STRICT = --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors
BUILD = .build/release
# The compiler spends a tenth of its time in the C library's malloc. With jemalloc, a build takes an eighth less time.
MALLOC = libjemalloc2
COMPILE = env LD_PRELOAD="$$(ls /usr/lib/$$(uname -m)-linux-gnu/$(MALLOC:2=.so.2) 2>/dev/null)" $(SWIFT) build
# Without an index of the sources, which only editors read. SwiftPM would need it to find tests of XCTest; there are
# none, and Tests/XCTMain.swift runs those of Swift Testing.
DEBUG = $(COMPILE) --disable-index-store
BUILD_TESTS = $(DEBUG) --build-tests --disable-xctest --enable-swift-testing
# One test at a time: many of them block a thread while a server or program runs, and Swift's thread pool has as many
# threads as the machine has cores. A run that waits forever is ended, and its output stays.
TESTS = timeout -k 10 2700 .build/debug/rhumbPackageTests.xctest --testing-library swift-testing --no-parallel
# One file that starts quickly and needs only the C library: Swift's libraries are inside it, and the C libraries that
# Debian has as archives. Others are loaded when needed. The core is several modules, so calls between them are optimised
# across module borders. Symbols for debuggers would take 7 % of the build's processor time, and are stripped anyway.
RELEASE = $(COMPILE) -c release -debug-info-format none --static-swift-stdlib -Xswiftc -cross-module-optimization \
    $$(cat .build/static/flags) $(SAME) 
# The program does not contain the folder it was built in, and its id is a hash of its contents.
SAME = -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/rhumb -Xcc -ffile-prefix-map=$(CURDIR)=/rhumb -Xlinker --build-id=sha1
# Cairo needs the libraries after it. Those of X11 are referenced by Cairo, but never used.
CAIRO = cairo pixman-1 fontconfig freetype png16 expat brotlidec brotlicommon bz2 z uuid Xrender Xext X11 xcb-render \
    xcb-shm xcb Xau Xdmcp
# The groups of commands with a man page each.
GROUPS = look find offline data share
# What `import Rhumb` brings, and the program without a terminal.
LIBRARY = RhumbBase RhumbGeo RhumbWeb RhumbCells RhumbVector RhumbOverlays RhumbServices RhumbCore RhumbEngine RhumbStore \
    RhumbHTTP RhumbDrawing RhumbOpening RhumbOffline Rhumb
SYMBOLS = .build/symbols
CATALOG = .build/Rhumb.docc
MODULEMAPS = $(wildcard Sources/C*/module.modulemap) $(patsubst %,.build/debug/%.build/module.modulemap,CCairo CSPNG CCrypto CCurl CDecompression CDefaults CManual CExpat CMicroHTTP)
TOOLS = $(dir $(shell readlink -f "$$(command -v $(SWIFT))"))
EARLIER = $(CURDIR)/.build/before

.DEFAULT_GOAL = help
.PHONY: program module reproduce sbom help run dev demo-traffic test test-release tests test-soak simulate fuzz sanitize mutate bench docs install deb pictures static check coverage uninstall format lint text deps assets clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: static assets ## build and open the map (options in ARGS="...")
	@$(RELEASE) --product rhumb
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BUILD)/rhumb $(ARGS); \
	else echo "built $(BUILD)/rhumb; run it on a terminal to see the map"; fi

dev: deps assets ## build quickly, without optimisation, and open the map
	@$(DEBUG) --product rhumb
	@if [ -t 0 ] && [ -t 1 ]; then exec .build/debug/rhumb $(ARGS); fi

test: deps assets ## build with warnings as errors and run all tests
	$(BUILD_TESTS) $(STRICT)
	@if command -v python3 >/dev/null; then exec .ci/tests; else exec $(TESTS); fi

# The optimiser has faults of its own: twice, a release build lost tiles that the build of the tests found.
test-release: program tests ## the tests that start the program, with the optimised one
	@RHUMB_TEST_RHUMB=$(CURDIR)/.build/release/rhumb .ci/tests --modules RhumbJourneyTests

tests: deps assets ## build the tests, and run none; then .ci/tests --filter NAME runs some
	$(BUILD_TESTS) $(STRICT)

check: deps assets ## lint, and the tests of the modules that differ from BASE=HEAD and of those above them
	@$(MAKE) -s lint
	@.ci/tests --changed $(or $(BASE),HEAD)

coverage: deps assets ## the share of executed lines of each module
	$(BUILD_TESTS) --enable-code-coverage --scratch-path .build/coverage
	@.ci/coverage

test-soak: deps assets ## the tests that take minutes: killed processes, a thousand leavings, four at once, damaged input of every parser, a faulty network, a thousand simulations
	$(BUILD_TESTS) $(STRICT)
	RHUMB_SOAK=1 .ci/tests --filter "LeavingTests|CacheProcessTests|RegionKillTests|DamagedTileTests|HostileStyleTests|ParserFuzzTests|EditionKillTests|CareKillTests|PackageKillTests|PowerCutTests|FailingCallTests|FaultyNetworkTests|SimulatorTests"

# Dictionaries have a random order otherwise.
simulate: deps assets ## use a map for DAYS=10 in a faulty world that SEED=1 repeats (PLANTED=seeds counts the planted faults found)
ifdef PLANTED
	@.ci/mutate --simulate $(PLANTED)
else
	@$(DEBUG) --product RhumbSimulator
	@SWIFT_DETERMINISTIC_HASHING=1 .build/debug/RhumbSimulator $(or $(SEED),1) $(or $(DAYS),10)
endif

fuzz: deps assets ## feed parsers inputs that reach new code, found by libFuzzer (TARGET=name, SECONDS=60 each)
	@.ci/fuzz "$(TARGET)" "$(SECONDS)"

sanitize: deps assets ## run the tests with a sanitizer, KIND=thread or address (SELECTION="--filter NAME" runs some)
	@.ci/sanitize $(or $(KIND),thread) $(SELECTION)

mutate: ## count the small changes of behaviour that the tests notice (MUTANTS="101 102")
	@.ci/mutate $(MUTANTS)

bench: static assets ## measure, beside other programs where they are installed (and BEFORE=revision)
	$(RELEASE) --product rhumb
	$(RELEASE) --product RhumbBench
ifdef BEFORE
	git worktree prune && { test -d $(EARLIER) || git worktree add -q --detach $(EARLIER) $(BEFORE); }
	git -C $(EARLIER) checkout -q --detach $(BEFORE)
	cd $(EARLIER) && $(RELEASE) --product rhumb && $(RELEASE) --product RhumbBench
endif
	$(if $(BEFORE),RHUMB_BENCH_BEFORE=$(EARLIER)/$(BUILD)/RhumbBench) $(BUILD)/RhumbBench

install: static assets ## install the program, its manual and completions under PREFIX
	$(RELEASE) --product rhumb
	install -D -m 755 $(BUILD)/rhumb $(DESTDIR)$(PREFIX)/bin/rhumb
	$(BUILD)/rhumb help man | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/man/man1/rhumb.1
	@for group in $(GROUPS); do \
	    $(BUILD)/rhumb help man $$group | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/man/man1/rhumb-$$group.1 || exit 1; \
	done
	$(BUILD)/rhumb help completions bash | install -D -m 644 /dev/stdin \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rhumb
	$(BUILD)/rhumb help completions zsh | install -D -m 644 /dev/stdin \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rhumb
	$(BUILD)/rhumb help completions fish | install -D -m 644 /dev/stdin \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/rhumb.fish

deb: static assets ## a Debian package of the program: .build/deb
	@$(RELEASE) --product rhumb
	@.ci/deb $(BUILD)/rhumb .build/deb

program: static assets
	@$(RELEASE) --product rhumb

module: static assets
	@$(RELEASE) --target $(MODULE)

reproduce: deps ## build twice in two folders, and compare the programs (20 minutes on two cores)
	@.ci/reproduce rhumb

sbom: deps ## the libraries of the program as CycloneDX JSON: .build/sbom.json
	@.ci/sbom > .build/sbom.json
	@echo .build/sbom.json

demo-traffic: deps assets ## serve simulated traffic, to try it without a key
	@$(SWIFT) run RhumbDemoTraffic $(ARGS)

pictures: static assets ## make the README's pictures, as a terminal shows them
	@$(RELEASE) --product rhumb
	@.ci/pictures $(BUILD)/rhumb

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/rhumb $(DESTDIR)$(PREFIX)/share/man/man1/rhumb.1 \
	    $(GROUPS:%=$(DESTDIR)$(PREFIX)/share/man/man1/rhumb-%.1) \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rhumb \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rhumb \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/rhumb.fish

docs: deps assets ## the manual, the library's reference and tutorials, for a browser: .build/docs
	$(DEBUG) --target Rhumb $(STRICT)
	$(DEBUG) --target RhumbBrowser $(STRICT)
	@rm -rf $(SYMBOLS) .build/docs && mkdir -p $(SYMBOLS)
	@for module in $(LIBRARY) RhumbBrowser; do \
	    $(TOOLS)swift-symbolgraph-extract -module-name $$module -minimum-access-level public \
	        -skip-synthesized-members -I .build/debug/Modules -output-dir $(SYMBOLS) \
	        -target "$$(basename "$$(dirname "$$(readlink -f .build/debug)")")" \
	        $(patsubst %,-Xcc -fmodule-map-file=%,$(MODULEMAPS)) || exit 1; \
	done
# One import brings all modules of the library, so the reference shows them as one.
	@for module in $(LIBRARY); do \
	    sed -i -E 's/"module":\{"name":"Rhumb[A-Za-z]*"/"module":{"name":"Rhumb"/' $(SYMBOLS)/$$module[.@]*; \
	done
# The pages of the manual are articles beside the tutorials.
	@rm -rf $(CATALOG) && cp -r Sources/Rhumb/Rhumb.docc $(CATALOG)
	@printf '\n### Manual\n\n' >> $(CATALOG)/Rhumb.md
	@for topic in $$(sed -n 's/^    page //p' Sources/CManual/manual.S); do \
	    cp Assets/manual/$$topic.md $(CATALOG)/Manual-$$topic.md && \
	    echo "- <doc:Manual-$$topic>" >> $(CATALOG)/Rhumb.md || exit 1; \
	done
	$(TOOLS)docc convert $(CATALOG) --additional-symbol-graph-dir $(SYMBOLS) \
	    --fallback-display-name Rhumb --fallback-bundle-identifier Rhumb --transform-for-static-hosting \
	    --diagnostic-level error --output-path .build/docs
	@echo "python3 -m http.server -d .build/docs 8000, then http://localhost:8000/documentation/rhumb"

format: ## format all Swift files
	$(SWIFT) format --in-place --parallel --recursive Sources Tests Package.swift

lint: text deps assets ## the checks of the text, and a build with warnings as errors
	$(BUILD_TESTS) $(STRICT)

# All that needs no build comes first: a comment that is too long is found in seconds.
text: ## format, folders, public declarations, file sizes, comments
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	@.ci/folders
	@.ci/public
	@.ci/mutate --check
	@find Sources Tests -name '*.swift' | xargs wc -l | awk '$$2 != "total" && $$1 > 400 \
	    { print $$2 ": " $$1 " lines, over 400"; bad = 1 } END { exit bad }'
	@find Sources Tests -name '*.swift' | xargs awk "$$CROWDED"
	@find Sources -name '*.swift' | xargs awk "$$UNDOCUMENTED"
# Swift 6.3.1 miscompiles, with -O only, an escaping closure whose tuple awaits a typed throwing call: other elements
# become bytes of other memory. Archives lost tiles by it. Bind the value first, or return a structure.
	@! grep -rnE '^ *(return )?\([^()]*[,:] *(\.[a-z]+\()?try await|^ *[a-z]+, try await' Sources --include='*.swift'
# `lazy.compactMap(…).first` calls its closure twice for the element that it finds, and ends the program if the second
# result is nil: `firstNonNil(…)` calls it once.
	@! grep -rnE '\.lazy\.compactMap.*[})]\.first\b( *$$| *\?\?|[.,)]|\(?$$)' Sources --include='*.swift'
# The library's texts are for any program: options and commands are this one's.
	@! grep -rnE '"[^"]*(\brhumb [a-z]|--[a-z])' $(LIBRARY:%=Sources/%) --include='*.swift'

# Comments over 110 columns, and tuples that assign several variables in one line. A swap names the same variables
# on both sides.
define CROWDED
{ line = $$0; gsub(/[\200-\277]/, "", line) }
length(line) > 110 && /^ *\/\// && !/^ *\/\/\/     / { print FILENAME ":" FNR ": comment over 110 columns"; bad = 1 }
/^ *((let|var) )?\([^()]*,[^()]*\) = \([^()]*,[^()]*\)$$/ {
    count = split($$0, side, / = /)
    sub(/^ *((let|var) )?\(/, "", side[1]); split(side[1], name, /[,)] */)
    if (!index(side[2], name[1])) { print FILENAME ":" FNR ": assign these one by one"; bad = 1 }
}
END { exit bad }
endef
export CROWDED

# Public declarations without a comment; what `Query` or a protocol of Swift's own asks for needs none.
define UNDOCUMENTED
FNR == 1 { isDocumented = 0 }
/^ *(\/\/\/|@)/ { if (/\/\/\//) isDocumented = 1; next }
/^ *public / && !isDocumented && !/^public import |public extension |var description:|func (==|<|hash|isOvertaken)|typealias Response|static var (scheduling|isDrawnAtOnce)/ {
    print FILENAME ":" FNR ": no comment:" $$0; bad = 1
}
{ isDocumented = 0 }
END { exit bad }
endef
export UNDOCUMENTED

# Debian's packages: names what is missing and installs it, with sudo only where it must.
deps:
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.1 or newer is needed: https://swift.org/install"; exit 1; }
	@missing=""; \
	for p in $(PACKAGES) $(MALLOC); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	as=""; [ "$$(id -u)" = 0 ] || as=sudo; \
	for tool in apt-get $$as; do \
	    command -v $$tool >/dev/null || { \
	        echo "missing:$$missing"; \
	        echo "$$tool is not here to install them: please install these C libraries yourself"; exit 1; }; \
	done; \
	echo "installing$$missing (with $${as:+$$as }apt-get)"; \
	$$as apt-get update -q >/dev/null && \
	$$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q $$missing >/dev/null || \
	    { echo "could not install:$$missing"; exit 1; }

# The package manager does not see that an embedded file changed: touch what embeds it.
assets: Sources/CAssets/assets.S Sources/CDefaults/defaults.S Sources/CManual/manual.S

Sources/CAssets/assets.S: $(wildcard Assets/*.pmtiles Assets/*.db)
	@touch $@

Sources/CDefaults/defaults.S: $(wildcard Assets/*.json Assets/*.bin Assets/*.tsv Assets/styles/*.json Assets/serve/*.html)
	@touch $@

Sources/CManual/manual.S: $(wildcard Assets/manual/*.md)
	@touch $@

# A folder with archives only, which the linker searches before the folders with shared libraries. Where Cairo can't be
# linked from archives, it is loaded when needed. Also the commit that the program reports.
static: deps
	@mkdir -p .build/static
	@for name in $(CAIRO) sqlite3 ncursesw tinfo turbojpeg webp sharpyuv deflate stdc++; do \
	    archive=$$($(CC) -print-file-name=lib$$name.a); \
	    [ "$$archive" = "lib$$name.a" ] || ln -sf "$$archive" .build/static/; \
	done
	@flags="-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -L$(CURDIR)/.build/static"; \
	printf '#include <cairo/cairo.h>\nint main(void) { return cairo_status(cairo_create(0)); }' > .build/static/probe.c; \
	if $(CC) .build/static/probe.c -o .build/static/probe -L.build/static $(CAIRO:%=-l%) -lm -ldl -pthread 2>/dev/null \
	    && ! ldd .build/static/probe | grep -q cairo; then \
	    flags="$$flags -Xcc -DRHUMB_STATIC $(CAIRO:%=-Xlinker -l%)"; \
	fi; \
	echo "$$flags" > .build/static/flags
	@commit=$$(git rev-parse --short=8 HEAD 2>/dev/null || true); \
	[ "$$(cat .build/commit.txt 2>/dev/null)" = "$$commit" ] || \
	    { printf %s "$$commit" > .build/commit.txt; touch Sources/CManual/manual.S; }

clean: ## remove everything built
	rm -rf .build
