/** How the pages look: one sheet for light and dark, small screens and large ones. */
export const PAGE_STYLE = `
:root{--ink:#1c1f23;--soft:#656c76;--line:#e4e6ea;--paper:#fbfbfa;--card:#fff;--accent:#2f5d50;--accent-ink:#fff;--tint:#eef3f1;--bad:#a4342a;--bad-tint:#fbeeec;--good:#2f6b45;--good-tint:#ebf5ee;--shade:0 1px 2px rgba(20,24,28,.05),0 8px 24px rgba(20,24,28,.06);color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#eceef0;--soft:#9aa2ab;--line:#2c3136;--paper:#141618;--card:#1c1f22;--accent:#7fb8a4;--accent-ink:#10201b;--tint:#1d2926;--bad:#f0958b;--bad-tint:#33201e;--good:#8fd0a6;--good-tint:#1b2b21;--shade:0 1px 2px rgba(0,0,0,.4),0 8px 24px rgba(0,0,0,.35)}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:16px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-font-smoothing:antialiased}
main{flex:1;width:100%;max-width:1180px;margin:0 auto;padding:clamp(24px,5vw,56px) clamp(16px,4vw,40px) 40px}
main.narrow{max-width:620px}
h1{margin:0;font-size:clamp(1.6rem,1.1rem + 2.2vw,2.4rem);line-height:1.18;letter-spacing:-.021em;font-weight:640;overflow-wrap:anywhere;text-wrap:balance}
h2{margin:0;font-size:1.1rem;letter-spacing:-.01em;font-weight:620}
p{margin:0}
a{color:inherit}
.head{display:flex;flex-wrap:wrap;gap:20px 32px;align-items:flex-end;justify-content:space-between;margin-bottom:clamp(24px,4vw,40px)}
.head .say{flex:1 1 320px;min-width:0}
.meta{margin-top:8px;color:var(--soft);font-size:.94rem}
.meta span+span::before{content:"·";margin:0 .55em;opacity:.7}
.message{margin-top:16px;max-width:62ch;white-space:pre-line;overflow-wrap:anywhere}
.button{display:inline-flex;align-items:center;justify-content:center;gap:.5em;min-height:46px;padding:0 22px;border:1px solid transparent;border-radius:12px;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:580;text-decoration:none;cursor:pointer;transition:filter .15s,background .15s,border-color .15s}
.button:hover{filter:brightness(1.08)}
.button:active{filter:brightness(.96)}
.button.quiet{background:transparent;color:var(--ink);border-color:var(--line)}
.button.quiet:hover{background:var(--tint);filter:none}
.button.small{min-height:36px;padding:0 14px;border-radius:9px;font-size:.9rem}
.button[disabled]{opacity:.5;cursor:default}
:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 55%,transparent);outline-offset:2px}
.grid{list-style:none;margin:0;padding:0;display:grid;gap:clamp(14px,2vw,24px);grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr))}
.tile{display:flex;flex-direction:column;min-width:0}
.frame{position:relative;display:block;aspect-ratio:4/3;border-radius:14px;overflow:hidden;background:var(--tint);text-decoration:none;box-shadow:var(--shade)}
.frame img{width:100%;height:100%;object-fit:cover;display:block;transition:transform .35s cubic-bezier(.2,.7,.2,1)}
a.frame:hover img{transform:scale(1.025)}
.kind{position:absolute;inset:0;display:grid;place-items:center;color:var(--soft);font-size:.82rem;font-weight:620;letter-spacing:.08em;text-transform:uppercase}
.caption{padding:10px 2px 0;font-size:.92rem;min-width:0}
.caption .title{display:block;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.acts{display:flex;gap:2px;align-items:center;padding:0 2px;min-height:38px}
.acts .size{flex:1;color:var(--soft);font-size:.86rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.act{display:inline-grid;place-items:center;flex:none;width:38px;height:38px;padding:0;border:0;border-radius:10px;background:none;color:var(--soft);font:inherit;cursor:pointer;transition:background .15s,color .15s}
.act svg,.acts .button svg{width:20px;height:20px}
.act:last-child{margin-right:-8px}
.act:hover{background:var(--tint);color:var(--ink)}
.act.off{opacity:.3;cursor:default;pointer-events:none}
.approved[aria-pressed=true]{background:var(--good-tint);color:var(--good)}
.rejected[aria-pressed=true]{background:var(--bad-tint);color:var(--bad)}
.shot{position:relative}
.tick{position:absolute;top:6px;left:6px;display:grid;place-items:center;width:40px;height:40px;cursor:pointer}
.tick input{appearance:none;width:24px;height:24px;margin:0;border:2px solid #fff;border-radius:8px;background:rgba(20,24,28,.32);box-shadow:0 1px 4px rgba(0,0,0,.35);cursor:pointer}
.list .tick input,.shot:has(.kind) .tick input{border-color:color-mix(in srgb,var(--soft) 70%,transparent);background:var(--card);box-shadow:none}
.tick input:checked,.list .tick input:checked,.shot:has(.kind) .tick input:checked{background:var(--accent);border-color:var(--accent-ink)}
.tick input:checked::before{content:"";display:block;width:6px;height:11px;margin:2px auto 0;border:solid var(--accent-ink);border-width:0 2.5px 2.5px 0;transform:rotate(45deg)}
.tick input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.tile:has([name=pick]:checked) .frame{outline:3px solid var(--accent);outline-offset:2px}
.choose{position:sticky;bottom:0;z-index:2;display:flex;flex-wrap:wrap;gap:10px 14px;align-items:center;margin:28px calc(-1*clamp(0px,2vw,16px)) 0;padding:12px clamp(12px,2vw,16px);border:1px solid var(--line);border-radius:16px 16px 0 0;background:var(--card);box-shadow:var(--shade)}
.choose.none{display:none}
.choose .count{flex:1;font-variant-numeric:tabular-nums}
.making{display:flex;gap:14px;align-items:center;margin:-12px 0 24px;color:var(--soft);font-size:.94rem;font-variant-numeric:tabular-nums}
progress{appearance:none;width:160px;height:6px;border:0;border-radius:6px;overflow:hidden;background:var(--line)}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--accent);border-radius:6px;transition:width .3s}
progress::-moz-progress-bar{background:var(--accent);border-radius:6px}
.waits{animation:waits 1.6s ease-in-out infinite alternate}
@keyframes waits{to{opacity:.45}}
.brand{display:flex;gap:14px;align-items:center;width:100%;max-width:1180px;margin:0 auto;padding:22px clamp(16px,4vw,40px) 0}
body:has(main.narrow) .brand{max-width:620px}
body:has(.centre) .brand{justify-content:center}
.brand img{display:block;height:36px;width:auto;max-width:200px;object-fit:contain}
.brand .name{font-weight:640;letter-spacing:-.01em}
.brand .tagline{color:var(--soft);font-size:.9rem}
.brand+main{padding-top:clamp(20px,3.4vw,36px)}
.walk{display:flex;align-items:center;justify-content:space-between;gap:12px}
.steps{display:flex;gap:4px}
.check.pick{margin:0;align-items:center}
.check.pick input{margin:0}
.list{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.list .tile{flex-direction:row;align-items:center;gap:16px;padding:12px 0;border-bottom:1px solid var(--line)}
.list .frame{flex:none;width:84px;border-radius:10px;box-shadow:none}
.list .caption{flex:1;padding:0}
.list .acts{padding:0}
.list .tick{top:50%;left:-6px;transform:translateY(-50%)}
.list .shot{padding-left:38px}
.slides .acts{padding-right:10px}
.slides{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:clamp(28px,5vw,56px);max-width:980px;margin-inline:auto}
.slides .frame{aspect-ratio:auto;min-height:120px}
.slides .frame img{height:auto;max-height:82vh;object-fit:contain}
.more{display:flex;justify-content:center;margin-top:36px}
.panel{background:var(--card);border:1px solid var(--line);border-radius:18px;padding:clamp(24px,5vw,40px);box-shadow:var(--shade)}
.panel>h1{font-size:clamp(1.4rem,1.1rem + 1.2vw,1.8rem);text-align:center}
.panel>.meta{text-align:center}
.door{max-width:440px;margin:clamp(0px,8vh,80px) auto 0}
.panel .meta{margin:8px 0 24px}
.centre{display:grid;place-items:center;flex:1;padding:24px 16px}
.centre .panel{width:min(100%,440px)}
.state{text-align:center;padding:clamp(48px,12vh,120px) 16px}
.state .meta{margin-top:10px;font-size:1rem}
.mark{width:56px;height:56px;margin:0 auto 20px;border-radius:16px;display:grid;place-items:center;background:var(--tint);color:var(--accent)}
.mark svg{width:26px;height:26px}
.field{display:block;margin-bottom:16px}
.field>span{display:block;margin-bottom:6px;font-size:.92rem;font-weight:560}
.field small{display:block;margin-top:5px;color:var(--soft)}
input[type=text],input[type=password],input[type=email],select{width:100%;min-height:46px;padding:0 14px;border:1px solid var(--line);border-radius:11px;background:var(--paper);color:inherit;font:inherit}
input:focus-visible,select:focus-visible{border-color:var(--accent);outline-offset:0}
.check{display:flex;gap:10px;align-items:flex-start;margin-bottom:18px;font-size:.95rem}
.check input{width:20px;height:20px;margin:2px 0 0;accent-color:var(--accent);flex:none}
.terms{max-height:220px;overflow:auto;margin-bottom:14px;padding:14px 16px;border:1px solid var(--line);border-radius:11px;background:var(--paper);white-space:pre-line;font-size:.92rem;overflow-wrap:anywhere}
.panel .button{width:100%}
.note{margin-bottom:18px;padding:11px 14px;border-radius:11px;background:var(--bad-tint);color:var(--bad);font-size:.94rem}
.stage{display:grid;gap:20px}
.stage img{display:block;max-width:100%;max-height:76vh;margin:0 auto;border-radius:14px;box-shadow:var(--shade)}
.stage .none{aspect-ratio:16/9;position:relative;border-radius:14px;background:var(--tint)}
.bar{display:flex;flex-wrap:wrap;gap:12px;align-items:center;justify-content:space-between}
.bar .say{min-width:0;flex:1 1 200px}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0;color:var(--soft);font-size:.92rem}
.facts dd{margin:0;color:var(--ink);overflow-wrap:anywhere}
.drop{display:grid;justify-items:center;gap:14px;padding:clamp(32px,8vw,64px) 20px;border:1.5px dashed color-mix(in srgb,var(--soft) 45%,transparent);border-radius:18px;background:var(--card);text-align:center;transition:border-color .15s,background .15s}
.drop.over{border-color:var(--accent);background:var(--tint)}
.drop input[type=file]{position:absolute;width:1px;height:1px;opacity:0;pointer-events:none}
.drop p{color:var(--soft);font-size:.94rem}
.queue{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:10px}
.queue li{display:grid;grid-template-columns:1fr auto;gap:4px 14px;padding:13px 16px;border:1px solid var(--line);border-radius:13px;background:var(--card)}
.queue .title{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:560}
.queue .said{color:var(--soft);font-size:.88rem;font-variant-numeric:tabular-nums;text-align:right}
.queue progress{grid-column:1/-1;width:100%}
.queue li.done .said{color:var(--good)}
.queue li.done progress::-webkit-progress-value{background:var(--good)}
.queue li.failed{border-color:color-mix(in srgb,var(--bad) 40%,transparent)}
.queue li.failed .said{color:var(--bad)}
.queue li.failed progress{display:none}
.queue .why{grid-column:1/-1;color:var(--bad);font-size:.88rem;overflow-wrap:anywhere}
.queue .button{grid-column:1/-1;justify-self:start;margin-top:4px}
.fields{display:grid;gap:0 16px;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));margin-bottom:8px}
.thanks{margin-top:20px;padding:16px 18px;border-radius:13px;background:var(--good-tint);color:var(--good)}
.thanks p{font-size:.94rem}
main:has(.kioskbar:not([hidden])){padding-bottom:110px}
.kioskbar{position:fixed;inset:auto 0 0;z-index:3;display:flex;gap:16px;align-items:center;justify-content:space-between;padding:14px max(20px,calc((100vw - 580px)/2));border-top:1px solid var(--line);background:var(--card);box-shadow:var(--shade)}
.kioskbar .button{min-width:140px}
.countdown{color:var(--soft);font-variant-numeric:tabular-nums}
.countdown.soon{color:var(--bad);font-weight:600}
.bye h1:focus-visible{outline:none}
[hidden]{display:none!important}
footer p+p{margin-top:4px}
footer{padding:24px 16px 28px;text-align:center;color:var(--soft);font-size:.84rem}
@media (max-width:520px){.head form,.head .button{width:100%}.grid{grid-template-columns:repeat(2,minmax(0,1fr));gap:14px 12px}.frame{border-radius:12px}.caption{padding-top:8px;font-size:.88rem}.act{width:40px;height:40px}.list .acts .size{display:none}.bar .button{width:100%}.list .frame{width:68px}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
`.trim();
