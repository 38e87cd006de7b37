# What can be done here:
#   make deps      install the Debian packages that are missing (asks nothing; root or sudo)
#   make build     build everything, optimised
#   make demo      load the bundled pictures from a server on this machine, and show what caching does
#   make test      run all tests
#   make bench     measure, beside the reference programs   (ARGS="--row http-small --rounds 5 --json")
#   make lint      check the form of the sources
#   make format    put the sources into that form
#   make docs      build the documentation of the libraries into .build/docs
#   make install   build the command with the Swift runtime inside and install it   (PREFIX=/usr/local)
#   make sanitize  run the tests of the HTTP library and the loader under the thread and the address sanitizer
#   make fuzz      feed damaged pictures to the coders   (SECONDS=60 a target; FORMAT=gif, TARGET=header|decode|incremental|frames)

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
FORMAT ?=
TARGET ?=

SWIFT := swift
LIBRARIES := MagpieHTTP MagpieURLSession MagpieImage Magpie
SWIFT_SOURCES := Sources Tests Fuzz Package.swift
COMMAND_SOURCES := $(shell find Sources Package.swift -type f -not -path 'Sources/Benchmarks/*')

# Libraries that the package is built on, and programs that its tests start.
BUILD_PACKAGES := libcurl4-openssl-dev libssl-dev libpsl-dev libjpeg62-turbo-dev libpng-dev libgif-dev libwebp-dev \
	libtiff-dev librsvg2-dev \
	libxxhash-dev libsqlite3-dev zlib1g-dev libbrotli-dev libzstd-dev pkg-config
TEST_PACKAGES := nginx-light openssl python3-httpbin iproute2 curl xz-utils

.PHONY: deps test-deps build demo test bench lint format docs install sanitize fuzz

deps:
	@Scripts/install-packages $(BUILD_PACKAGES)

test-deps:
	@Scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)

build: deps
	$(SWIFT) build -c release

.build/release/magpie: $(COMMAND_SOURCES)
	@Scripts/install-packages $(BUILD_PACKAGES)
	$(SWIFT) build -c release --product magpie
	@touch $@

demo: .build/release/magpie
	@.build/release/magpie demo

test: test-deps
	$(SWIFT) test

bench: test-deps
	$(SWIFT) build -c release
	.build/release/Benchmarks $(ARGS)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format:
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_SOURCES)

docs: deps
	@Scripts/build-docs $(LIBRARIES)

install: deps
	$(SWIFT) build -c release --product magpie --static-swift-stdlib --scratch-path .build/static \
		-Xlinker --strip-all
	install -D -m 755 .build/static/release/magpie $(DESTDIR)$(PREFIX)/bin/magpie

# XCTest's own runner leaks a little; the tests are Swift Testing's. Foundation, OpenSSL and libcurl keep memory to the end.
sanitize: test-deps
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/thread \
		--filter 'MagpieHTTPTests|MagpieStorageTests|MagpieTests'
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
		$(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build/address \
		--filter 'MagpieHTTPTests|MagpieStorageTests|MagpieTests|MagpieImageTests'

# In bash SECONDS is a clock, hence the look at where make has it from.
fuzz: deps
	@Scripts/fuzz $(if $(filter command line environment,$(origin SECONDS)),$(SECONDS),60) "$(FORMAT)" "$(TARGET)"
