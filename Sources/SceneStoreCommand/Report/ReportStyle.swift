/// The page's one style sheet. It is named in the content policy by its hash, so nothing else is
/// applied, and nothing in it refers to anything outside the page.
enum ReportStyle {
    static let sheet = """
        :root{color-scheme:light dark;
        --page:#f6f5f2;--card:#fff;--ink:#1f2125;--soft:#62666e;--line:#dedbd4;--band:#f1efea;
        --died:#fbe4e1;--known:#87837a;--connected:#bcd3f2;--front:#6c9fe3;--save:#0d2f66;
        --edge:#5273a6;--front-edge:#2c5da8;--faint:#87837a;
        --restore:#0a4a39;--link:#5b1d82;--discard:#33363c;--crash:#8f1310;--focus:#1a73e8;
        --c0:#1f66c1;--c1:#b4471c;--c2:#137a5c;--c3:#8c3bb0;--c4:#8a6a00;--c5:#b3266b;--c6:#3f6d7c;--c7:#5b5f97}
        @media screen and (prefers-color-scheme:dark){:root{
        --page:#141518;--card:#1c1e22;--ink:#e9e9ec;--soft:#a2a6ae;--line:#33363c;--band:#24272c;
        --died:#43242a;--known:#7d828a;--connected:#25364f;--front:#34598f;--save:#d3e5ff;
        --edge:#7f9fcc;--front-edge:#a3c6f3;--faint:#7d828a;
        --restore:#8fe5c6;--link:#e3c2f8;--discard:#e4e6ea;--crash:#ffc2bc;--focus:#8ab4f8;
        --c0:#7fb1f5;--c1:#f0986f;--c2:#62cfa6;--c3:#cf9af0;--c4:#dfc162;--c5:#f28bbb;--c6:#8fc2d2;--c7:#aab0ee}}
        *{box-sizing:border-box}
        html{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;
        color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%}
        body{margin:0}
        main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.5rem}
        header{padding-top:2.5rem}
        h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;font-weight:650;margin:0 0 .25rem}
        h2{font-size:1.15rem;letter-spacing:-.005em;font-weight:650;margin:0 0 .25rem}
        p{margin:0 0 .75rem;max-width:46rem}
        .soft,caption,figcaption,footer{color:var(--soft)}
        a{color:inherit}
        a:focus-visible,g:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
        .skip{position:absolute;left:-99rem}
        .skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:2}
        dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1px;margin:1.5rem 0;
        background:var(--card);border:1px solid var(--line);border-radius:.6rem;overflow:hidden}
        .facts div{box-shadow:0 0 0 1px var(--line);padding:.75rem 1rem}
        .facts dt{color:var(--soft);font-size:.8rem}
        .facts dd{margin:0;font-size:1.25rem;font-weight:600;font-variant-numeric:tabular-nums}
        section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1.25rem 1.5rem;margin:0 0 1.25rem}
        figure{margin:0}
        .scroll{overflow-x:auto;margin:0 -.5rem;padding:.25rem .5rem;
        background:linear-gradient(90deg,var(--card) 40%,transparent) 0 0/2rem 100% no-repeat local,
        linear-gradient(270deg,var(--card) 40%,transparent) 100% 0/2rem 100% no-repeat local,
        linear-gradient(90deg,var(--faint),transparent) 0 0/.5rem 100% no-repeat,
        linear-gradient(270deg,var(--faint),transparent) 100% 0/.5rem 100% no-repeat}
        .wide::before{content:"Scroll sideways for the rest →";position:sticky;left:0;display:none;color:var(--soft);font-size:.8rem}
        @keyframes overflow{from,to{max-height:2em}}
        @supports (animation-timeline:scroll()){@media screen{.wide::before{display:block;width:max-content;max-height:0;overflow:hidden;animation:overflow linear;animation-timeline:scroll(nearest inline)}}}
        .paper{display:none}
        svg{display:block;max-width:100%;height:auto;font-size:12px;fill:var(--ink)}
        .scroll svg{min-width:60rem}
        svg.timeline+svg.timeline{margin-top:1.1rem}
        svg.shapes{position:absolute}
        text.number{fill:var(--soft);font-variant-numeric:tabular-nums}
        text.date{fill:var(--ink);font-weight:400}
        text.tick{fill:var(--soft)}
        .band rect{fill:var(--band)}
        .band.died rect{fill:var(--died)}
        .known{fill:var(--known)}
        .connected{fill:var(--connected);stroke:var(--edge);stroke-width:1}
        .front{fill:var(--front);stroke:var(--front-edge);stroke-width:1}
        .process{fill:var(--soft)}
        .mark{stroke:var(--card);stroke-width:1.4;paint-order:stroke;cursor:pointer}
        .hit{fill:transparent;stroke:none}
        .more{fill:var(--card);stroke:currentColor;stroke-width:1}
        .mark.create{fill:var(--card);stroke:var(--ink);stroke-width:1.6;color:var(--ink)}
        .mark.restore{fill:var(--restore);color:var(--restore)}
        .mark.link{fill:var(--link);color:var(--link)}
        .mark.save{fill:var(--save);color:var(--save)}
        .mark.discard{stroke:var(--discard);stroke-width:2.2;stroke-linecap:round;color:var(--discard)}
        .mark.crash{fill:var(--crash);color:var(--crash)}
        .mark.blame{fill:var(--card);stroke:var(--crash);stroke-width:1.5;color:var(--crash)}
        .mark.withheld{fill:var(--card);stroke:var(--crash);stroke-width:1.5;color:var(--crash)}
        .mark.other{stroke:var(--discard);stroke-width:2;stroke-linecap:round;color:var(--discard)}
        .mark:hover .hit,.mark:focus .hit{fill:var(--focus);opacity:.28}
        ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;margin:.75rem 0 0;padding:0;font-size:.85rem;color:var(--soft)}
        ul.legend+p{margin:.6rem 0 0}
        time{white-space:nowrap}
        .legend li{display:flex;align-items:center;gap:.45rem}
        .legend svg{flex:none}
        .grid{stroke:var(--line);fill:none}
        .day{stroke:var(--faint);fill:none}
        .line path{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linejoin:round}
        .line circle{fill:currentColor;stroke:var(--card);stroke-width:1}
        .line .leader{stroke-width:1;opacity:.5}
        .c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}
        .c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}
        details{border-top:1px solid var(--line)}
        details:last-of-type{border-bottom:1px solid var(--line)}
        details[open]{padding-bottom:1rem}
        summary{padding:.5rem .25rem;cursor:pointer;display:grid;grid-template-columns:.75rem minmax(6.25rem,max-content) 11rem 9rem 8.75rem 6.25rem 1fr;gap:0 .75rem;list-style:none}
        summary::-webkit-details-marker{display:none}
        summary::before{content:"›";width:.75rem;color:var(--soft);transition:transform .12s;transform-origin:40% 55%}
        details[open]>summary::before{transform:rotate(90deg)}
        summary b{font-weight:600}
        summary span{font-variant-numeric:tabular-nums}
        summary:target{background:var(--band)}
        .red{color:var(--crash)}.good{color:var(--restore)}.look{color:var(--c4)}
        ul.outlook{list-style:none;margin:.5rem 0 0;padding:0}
        .outlook li{display:grid;grid-template-columns:minmax(8rem,1fr) 10rem minmax(0,2.5fr);gap:0 1rem;padding:.35rem 0;border-top:1px solid var(--line)}
        .outlook b{font-weight:600;overflow-wrap:anywhere}
        ul.outlook+*{margin-top:.9rem}
        dl.store{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;margin:.75rem 0 0;font-size:.9rem}
        .store dt{color:var(--soft)}.store dd{margin:0;overflow-wrap:anywhere}
        table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
        caption{text-align:left;padding:0 0 .5rem;font-size:.85rem}
        th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        thead th{color:var(--soft);font-weight:500;white-space:nowrap}
        tbody th{font-weight:500}
        td.n,th.n{text-align:right;white-space:nowrap}
        td.z{color:var(--faint)}
        td.w{white-space:nowrap}
        table.entries{width:auto;min-width:70%}
        .id{font:.8rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace;color:var(--soft);white-space:nowrap}
        tr:target{background:var(--band)}
        bdi{overflow-wrap:anywhere}td bdi,th bdi{overflow-wrap:break-word}
        tbody th:first-child:not(.n){min-width:9rem}
        footer{padding-bottom:3rem;font-size:.85rem}
        @supports not (animation-timeline:scroll()){@media screen and (max-width:66rem){.wide::before{display:inline-block}}}
        @media (max-width:62rem){summary{display:flex;flex-wrap:wrap}summary b{min-width:5.5rem}}
        @media (max-width:40rem){main,header,footer{padding-left:1rem;padding-right:1rem}
        section{padding:1rem;border-radius:.5rem}
        .outlook li,.outlook li>*{display:block}.entries td.w,.entries thead th{white-space:normal}.entries th,.entries td{padding-right:.5rem}
        dl.store{display:block}.store dd{margin:0 0 .35rem}}
        @media (prefers-reduced-motion:reduce){summary::before{transition:none}}
        @page{size:A4 landscape;margin:12mm}
        @media print{html{font-size:11px;background:#fff}main,header,footer{max-width:none;padding:0}
        header{padding:0}section{border:0;padding:0;margin:0 0 1.5rem}.skip{display:none}
        figure,.scroll{display:contents}.scroll svg{min-width:0;width:80%}
        p,svg,tr,summary,details,dl,li,ul.legend{break-inside:avoid}h2,h2+p,summary,caption{break-after:avoid}footer{break-before:avoid}thead{display:table-header-group}
        ul.legend{break-before:avoid}tbody tr:nth-child(-n+3){break-before:avoid}
        details:not([open]),.glass{display:none}.paper{display:block}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}

        """
}
