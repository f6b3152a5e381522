#!/usr/bin/env bash
# report-pictures.sh [FOLDER]: opens the report of stores with 1, 30 and 400 launches in Chromium, at 360, 800 and
# 1280 pixels and on paper, light and dark. Fails if something is wider than the page, if a text is cut or broken
# inside a word, or if a text has a contrast of less than 3:1. Writes the pictures to FOLDER, to be looked at.
# Skipped without Chromium; $SCENESTORE_CHROMIUM names the program if it isn't `chromium`.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
chromium=${SCENESTORE_CHROMIUM:-chromium}
command -v "$chromium" >/dev/null || { echo "report-pictures.sh: skipped, there is no Chromium" >&2; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# = 0 ] || mkdir -p "$1"
if [ -z "${SCENESTORE_TOOL:-}" ]; then
    swift build --product scenestore >&2
    SCENESTORE_TOOL=$(swift build --show-bin-path)/scenestore
fi

# A life of N launches with windows of long titles, links and crashes.
scenario() {
    echo "manifest $PWD/Examples/Scenarios/Notes.plist"
    echo "delegate provider=Editor"
    local launch title="Shopping list for a very long weekend in the mountains with friends"
    for ((launch = 1; launch <= $1; launch++)); do
        ((launch % 17)) && echo launch || echo "launch url=notes://note/$launch"
        ((launch % 50 == 3)) && echo new-scene
        echo "state A com.example.notes.edit title=\"$title\" text=\"$(printf "%0$((launch % 90 + 1))d" 0)\""
        printf '%s\n' "wait 20s" "background *" "wait 5s"
        ((launch % 23)) && echo quit || echo kill
        echo "wait 7h"
    done
}
scenario 1 >"$folder/1.scenario"
scenario 400 >"$folder/400.scenario"
cp Examples/Scenarios/fortnight.scenario "$folder/30.scenario"
cp Examples/Scenarios/Notes.plist "$folder"
for count in 1 30 400; do
    "$SCENESTORE_TOOL" simulate "$folder/$count.scenario" --store "$folder/$count" >/dev/null 2>&1
    "$SCENESTORE_TOOL" report --store "$folder/$count" -o "$folder/$count.html" 2>/dev/null
done

cat >"$folder/look.html" <<'PAGE'
<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0}iframe{border:0;display:block}</style><body><script>
// What is wrong with a page, in a frame of a width. Headless Chromium's own windows are at least 500 pixels wide.
const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
  .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const color = text => text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
const isOpaque = c => c.length == 3 || c[3] == 1;
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
function ground(view, element) {
  for (let e = element; e; e = e.parentElement) {
    const c = color(view.getComputedStyle(e).backgroundColor);
    if (isOpaque(c)) return c;
  }
  return [255, 255, 255];
}
async function load(page, width, paper) {
  const frame = document.createElement('iframe');
  frame.width = width;
  frame.height = 900;
  frame.src = page + '.html';
  const loaded = new Promise(done => frame.onload = done);
  document.body.append(frame);
  await loaded;
  if (paper) for (const sheet of frame.contentDocument.styleSheets)
    for (const rule of sheet.cssRules) if (rule.media) {
      if (/print/.test(rule.media.mediaText)) rule.media.mediaText = 'all';
      else if (/screen/.test(rule.media.mediaText)) rule.media.mediaText = 'not all';
    }
  return frame;
}
function faults(frame) {
  const [view, page] = [frame.contentWindow, frame.contentDocument], found = [];
  for (const one of page.querySelectorAll('details')) { one.removeAttribute('name'); one.open = true; }
  const root = page.documentElement;
  if (root.scrollWidth > view.innerWidth) found.push('page is ' + root.scrollWidth + ' wide');
  for (const e of page.querySelectorAll('body *')) {
    const style = view.getComputedStyle(e), isCut = e.scrollWidth > e.clientWidth + 1;
    if (!isCut || !e.clientWidth || style.overflowX == 'visible') continue;
    // A shadow at the edge, which scrolls away with the end of the content, is a sign.
    const isSigned = style.textOverflow == 'ellipsis'
      || /auto|scroll/.test(style.overflowX) && style.backgroundAttachment.includes('local');
    if (!isSigned) found.push('cut: ' + e.className + ' ' + e.textContent.trim().slice(0, 30));
  }
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement, style = view.getComputedStyle(e);
    if (!node.data.trim() || !e.getClientRects().length || e.closest('style,script,title,.skip')) continue;
    const ink = color(e.closest('svg') ? style.fill : style.color), ratio = contrast(ink, ground(view, e));
    if (ratio < 3) found.push('contrast ' + ratio.toFixed(1) + ': ' + node.data.trim().slice(0, 30));
    for (const word of node.data.matchAll(/\p{L}{2,20}/gu)) {
      const range = page.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
      if (tops.size > 1) found.push('broken: ' + word[0]);
    }
  }
  return found;
}
(async () => {
  const [page, width, paper] = location.search.slice(1).split(',');
  if (page) {
    const frame = await load(page, width, paper);
    frame.height = frame.contentDocument.documentElement.scrollHeight;
    return;
  }
  const lines = [];
  for (const page of ['1', '30', '400']) for (const [width, paper] of [[360], [800], [1280], [1032, true]]) {
    const frame = await load(page, width, paper);
    const found = [...new Set(faults(frame))];
    lines.push(page + ' launches, ' + (paper ? 'paper' : width) + ': ' + found.length + ' faults'
      + found.slice(0, 12).map(f => '\n    ' + f).join(''));
    frame.remove();
  }
  document.body.textContent = 'BEGIN\n' + lines.join('\n') + '\nEND';
})();
</script>
PAGE

look() { # look SCHEME URL [OPTION…]: 0 is dark, 1 is light
    local scheme=$1 url=$2
    shift 2
    "$chromium" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
        --blink-settings=preferredColorScheme="$scheme" --user-data-dir="$folder/profile" \
        --virtual-time-budget=60000 "$@" "file://$folder/look.html$url" 2>/dev/null
}
status=0
for scheme in 1 0; do
    name=$([ $scheme = 1 ] && echo light || echo dark)
    lines=$(look $scheme "" --dump-dom | sed -n '/BEGIN$/,/^END/p' | sed '1d;$d')
    [ "$(grep -c ' faults' <<<"$lines")" = 12 ] || { echo "report-pictures.sh: $name wasn't measured" >&2; exit 1; }
    sed "s/^\([0-9]\)/$name, \1/" <<<"$lines"
    grep ' faults' <<<"$lines" | grep -qv ': 0 faults' && status=1
    [ $# = 0 ] && continue
    for count in 1 30 400; do
        for width in 360 800 1280 paper; do
            pixels=${width/paper/1032}
            look $scheme "?$count,$pixels,${width//[0-9]/}" --screenshot="$1/$count-$width-$name.png" \
                --window-size="$((pixels < 500 ? 500 : pixels)),2400" >/dev/null
        done
    done
done
exit $status
