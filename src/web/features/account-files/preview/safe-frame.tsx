import { useMemo } from 'react'
import classes from './preview.module.css'

/** Nothing is loaded, run or sent: only the styles and pictures that the document contains are shown. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** HTML of a file in a frame without scripts, network, forms and navigation. `html` has been sanitized by `safeHtml`. */
export function SafeFrame({ html, title }: { html: string; title: string }) {
  const page = useMemo(
    () =>
      `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
      `<style>html{color-scheme:light;background:#fff}body{margin:0;font-family:system-ui,sans-serif;overflow-wrap:anywhere}</style></head><body>${html}</body></html>`,
    [html],
  )
  return <iframe className={classes['frame']} title={title} sandbox="" referrerPolicy="no-referrer" srcDoc={page} />
}
