import { createHash } from 'node:crypto'

// HTML pages that this server answers itself, without the web app.

/** The styles of the login page, as far as these pages need them. */
const STYLE = `
:root{color-scheme:light dark;--ground:#FAF9F7;--paper:#fff;--text:#1E1C1A;--text2:#645F57;--line:#E8E4DE;--edge:#8C867C;--hover:#F4F2EE;
--link:#2E4FBC;--button:#2E4FBC;--press:#243F98;--bad:#8F2A20;--badground:#FDF0EE;--note:#714E08;--noteground:#FFF6E0}
@media (prefers-color-scheme:dark){:root{--ground:#151413;--paper:#242220;--text:#ECE9E4;--text2:#ABA69E;--line:#34312E;--edge:#7F7A72;
--hover:#2C2A27;--link:#9BB5F4;--button:#3F64D6;--press:#2E4FBC;--bad:#F4B3AA;--badground:#401D18;--note:#F3CE75;--noteground:#3A2C0B}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:32px 16px;background:var(--ground);color:var(--text);
font:400 15px/22px -apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{width:100%;max-width:400px}
.mark{display:block;width:56px;height:56px;margin:0 auto 24px}
h1{margin:0;font-size:28px;line-height:34px;font-weight:700;letter-spacing:-.02em;text-align:center;text-wrap:balance}
.lead{margin:8px 0 28px;color:var(--text2);text-align:center;text-wrap:balance}
.alert{margin:0 0 20px;padding:12px 16px;border-radius:8px;background:var(--badground);color:var(--bad);font-weight:600}
label{display:block;margin:0 0 6px;font-size:14px;line-height:20px;font-weight:600}
input{width:100%;height:48px;padding:0 14px;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit;font-size:16px}
input[aria-invalid=true]{border:2px solid var(--bad)}
.hint{margin:10px 0 16px;font-size:13px;line-height:18px;color:var(--text2)}
button,.button{display:block;width:100%;border:0;border-radius:8px;font:inherit;cursor:pointer;transition:background-color .12s ease-out}
.filled{padding:13px 16px;background:var(--button);color:#fff;font-weight:600;text-align:center;text-decoration:none}
.filled:hover{background:var(--press)}
h2{margin:36px 0 12px;font-size:15px;line-height:22px;font-weight:600}
ul{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:12px;background:var(--paper);overflow:hidden}
li+li{border-top:1px solid var(--line)}
.account{display:flex;justify-content:space-between;align-items:baseline;align-content:center;gap:4px 12px;flex-wrap:wrap;min-height:48px;padding:12px 16px;border-radius:0;background:none;color:var(--link);font-size:14px;line-height:20px;font-weight:600;text-align:left}
.account span{color:var(--text2);font-weight:400}
.account:hover{background:var(--hover)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.account:focus-visible{outline-offset:-2px}
.note{margin:24px 0 0;padding:12px 16px;border-radius:8px;background:var(--noteground);color:var(--note);font-size:13px;line-height:18px}
@media (max-width:745px){h1{font-size:24px;line-height:30px}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
`

/** No scripts, no requests except the icon, no framing; the style sheet is allowed by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  // Firefox reports its own request for the icon as a violation.
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)

const LOGO = `<svg class="mark" viewBox="0 0 56 56" aria-hidden="true"><rect width="56" height="56" rx="12" fill="#2E4FBC"/><path fill="#fff" d="M28 15 14.6 26.2c-.4.3-.6.8-.6 1.3V39a3 3 0 0 0 3 3h6.5v-8.500a4.500 4.500 0 0 1 9 0V42H39a3 3 0 0 0 3-3V27.500c0-.5-.2-1-.6-1.300Z"/></svg>`

/** A page with a heading and text; `body` is HTML. */
export const renderPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg">
<title>${escapeHtml(title)} · Homeroom</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${LOGO}
${body}
</main>
</body>
</html>
`
