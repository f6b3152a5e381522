#!/usr/bin/env bash
# simulator.sh [DESTINATION]: runs the tests of the values in an iOS simulator, and checks that drive
# an app with SceneStoreUIKit: a text that comes back, and links that find the app stopped, in the
# background and active. Needs a Mac with Xcode 16 or later.
# simulator.sh --project FOLDER: only makes the app's Xcode project of the folder Scripts/simulator.
#
# It has never been run on a Mac, because it was written without one. A test makes the project and
# checks that each reference in it is resolved.
set -euo pipefail
cd "$(dirname "$0")/.."

# project FOLDER: copies the sources, and writes Checks.xcodeproj beside them.
project() {
    local folder=$1 root
    mkdir -p "$folder/Checks.xcodeproj/xcshareddata/xcschemes"
    cp -R Scripts/simulator/. "$folder"
    root=$(relative "$folder")
    # An identifier is 24 hexadecimal digits. Each object is written once, with what it refers to.
    local id=C4EC50000000000000000
    cat >"$folder/Checks.xcodeproj/project.pbxproj" <<PROJECT
// !\$*UTF8*\$!
{
    archiveVersion = 1;
    classes = {};
    objectVersion = 77;
    objects = {
        ${id}001 /* Project object */ = {
            isa = PBXProject;
            attributes = {
                BuildIndependentTargetsInParallel = 1;
                TargetAttributes = {${id}022 = {TestTargetID = ${id}021;};};
            };
            buildConfigurationList = ${id}031;
            developmentRegion = en;
            hasScannedForEncodings = 0;
            knownRegions = (en, Base);
            mainGroup = ${id}002;
            minimizedProjectReferenceProxies = 1;
            packageReferences = (${id}061);
            preferredProjectObjectVersion = 77;
            productRefGroup = ${id}003;
            projectDirPath = "";
            projectRoot = "";
            targets = (${id}021, ${id}022);
        };
        ${id}002 = {
            isa = PBXGroup;
            children = (${id}011, ${id}012, ${id}003);
            sourceTree = "<group>";
        };
        ${id}003 /* Products */ = {
            isa = PBXGroup;
            children = (${id}004, ${id}005);
            name = Products;
            sourceTree = "<group>";
        };
        ${id}004 /* Checks.app */ = {
            isa = PBXFileReference;
            explicitFileType = wrapper.application;
            includeInIndex = 0;
            path = Checks.app;
            sourceTree = BUILT_PRODUCTS_DIR;
        };
        ${id}005 /* ChecksUITests.xctest */ = {
            isa = PBXFileReference;
            explicitFileType = wrapper.cfbundle;
            includeInIndex = 0;
            path = ChecksUITests.xctest;
            sourceTree = BUILT_PRODUCTS_DIR;
        };
        ${id}011 /* Checks */ = {
            isa = PBXFileSystemSynchronizedRootGroup;
            path = Checks;
            sourceTree = "<group>";
        };
        ${id}012 /* ChecksUITests */ = {
            isa = PBXFileSystemSynchronizedRootGroup;
            path = ChecksUITests;
            sourceTree = "<group>";
        };
        ${id}021 /* Checks */ = {
            isa = PBXNativeTarget;
            buildConfigurationList = ${id}032;
            buildPhases = (${id}041, ${id}042, ${id}043);
            buildRules = ();
            dependencies = ();
            fileSystemSynchronizedGroups = (${id}011);
            name = Checks;
            packageProductDependencies = (${id}062, ${id}063);
            productName = Checks;
            productReference = ${id}004;
            productType = "com.apple.product-type.application";
        };
        ${id}022 /* ChecksUITests */ = {
            isa = PBXNativeTarget;
            buildConfigurationList = ${id}033;
            buildPhases = (${id}044, ${id}045, ${id}046);
            buildRules = ();
            dependencies = (${id}023);
            fileSystemSynchronizedGroups = (${id}012);
            name = ChecksUITests;
            packageProductDependencies = ();
            productName = ChecksUITests;
            productReference = ${id}005;
            productType = "com.apple.product-type.bundle.ui-testing";
        };
        ${id}023 = {
            isa = PBXTargetDependency;
            target = ${id}021;
            targetProxy = ${id}024;
        };
        ${id}024 = {
            isa = PBXContainerItemProxy;
            containerPortal = ${id}001;
            proxyType = 1;
            remoteGlobalIDString = ${id}021;
            remoteInfo = Checks;
        };
$(lists)
$(phases)
        ${id}061 = {
            isa = XCLocalSwiftPackageReference;
            relativePath = "$root";
        };
        ${id}062 = {isa = XCSwiftPackageProductDependency; productName = SceneStore;};
        ${id}063 = {isa = XCSwiftPackageProductDependency; productName = SceneStoreUIKit;};
        ${id}064 = {isa = PBXBuildFile; productRef = ${id}062;};
        ${id}065 = {isa = PBXBuildFile; productRef = ${id}063;};
    };
    rootObject = ${id}001;
}
PROJECT
    scheme >"$folder/Checks.xcodeproj/xcshareddata/xcschemes/Checks.xcscheme"
}

# relative FOLDER: the path from a folder to the package.
relative() {
    local from to up=""
    from=$(cd "$1" && pwd -P)
    to=$(pwd -P)
    while [[ $to/ != "$from"/* ]]; do
        from=${from%/*}
        up=../$up
    done
    to=${to#"$from"}
    echo "$up${to#/}"
}

# lists: the build settings of the project and of its two targets, one configuration each.
lists() {
    local common='SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 18.0; SWIFT_VERSION = 5.0;
                ONLY_ACTIVE_ARCH = YES; SWIFT_OPTIMIZATION_LEVEL = "-Onone";'
    local target='PRODUCT_NAME = "$(TARGET_NAME)"; GENERATE_INFOPLIST_FILE = YES;
                CODE_SIGN_STYLE = Automatic; TARGETED_DEVICE_FAMILY = "1,2";'
    configuration 1 "$common"
    configuration 2 "$target INFOPLIST_FILE = Info.plist;
                PRODUCT_BUNDLE_IDENTIFIER = com.example.checks;"
    configuration 3 "$target TEST_TARGET_NAME = Checks;
                PRODUCT_BUNDLE_IDENTIFIER = com.example.checks.tests;"
}

configuration() {
    cat <<LIST
        ${id}03$1 = {
            isa = XCConfigurationList;
            buildConfigurations = (${id}05$1);
            defaultConfigurationIsVisible = 0;
            defaultConfigurationName = Debug;
        };
        ${id}05$1 = {
            isa = XCBuildConfiguration;
            buildSettings = {
                $2
            };
            name = Debug;
        };
LIST
}

# phases: sources, frameworks and resources of each target; the folders name the sources.
phases() {
    local number=1 target kind
    for target in app tests; do
        for kind in Sources Frameworks Resources; do
            local files=""
            [ "$target$kind" = appFrameworks ] && files="${id}064, ${id}065"
            cat <<PHASE
        ${id}04$number = {
            isa = PBX${kind}BuildPhase;
            buildActionMask = 2147483647;
            files = ($files);
            runOnlyForDeploymentPostprocessing = 0;
        };
PHASE
            number=$((number + 1))
        done
    done
}

scheme() {
    cat <<SCHEME
<?xml version="1.0" encoding="UTF-8"?>
<Scheme LastUpgradeVersion="1600" version="1.7">
    <BuildAction parallelizeBuildables="YES" buildImplicitDependencies="YES">
        <BuildActionEntries>
            <BuildActionEntry buildForTesting="YES" buildForRunning="YES" buildForProfiling="YES"
                buildForArchiving="YES" buildForAnalyzing="YES">
                $(reference 021 Checks.app Checks)
            </BuildActionEntry>
        </BuildActionEntries>
    </BuildAction>
    <TestAction buildConfiguration="Debug">
        <Testables>
            <TestableReference skipped="NO" parallelizable="NO">
                $(reference 022 ChecksUITests.xctest ChecksUITests)
            </TestableReference>
        </Testables>
    </TestAction>
    <LaunchAction buildConfiguration="Debug">
        <BuildableProductRunnable runnableDebuggingMode="0">
            $(reference 021 Checks.app Checks)
        </BuildableProductRunnable>
    </LaunchAction>
</Scheme>
SCHEME
}

reference() {
    echo "<BuildableReference BuildableIdentifier='primary' BlueprintIdentifier='$id$1'" \
        "BuildableName='$2' BlueprintName='$3' ReferencedContainer='container:Checks.xcodeproj'/>"
}

if [ "${1:-}" = --project ]; then
    project "${2:?simulator.sh --project needs a folder}"
    exit
fi

[ "$(uname -s)" = Darwin ] || { echo "simulator.sh: needs a Mac with Xcode" >&2; exit 2; }
command -v xcodebuild >/dev/null || { echo "simulator.sh: xcodebuild is missing" >&2; exit 2; }

destination=${1:-platform=iOS Simulator,name=iPhone 17}
derived=$PWD/.build/simulator
build=(-destination "$destination" -derivedDataPath "$derived" -quiet)

xcodebuild test -scheme SceneStore-Package "${build[@]}" \
    -only-testing:SceneStoreFormatsTests -only-testing:SceneStoreUIKitTests \
    -only-testing:SceneStoreValuesTests
rm -rf "$derived/Checks"
project "$derived/Checks"
xcodebuild test -project "$derived/Checks/Checks.xcodeproj" -scheme Checks "${build[@]}"
echo "simulator.sh: the tests of the values, the formats and UIKit and the checks of the app pass on $destination"
