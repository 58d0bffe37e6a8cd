import type { FastifyInstance } from 'fastify'
import type { Call } from '#contract/route.ts'
import { openApi } from './openapi.ts'

const escape = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)

const row = (call: Call) =>
  `<tr><td>${call.method}</td><td><code>/api/v1${escape(call.path)}</code></td><td>${escape(call.summary)}</td><td>${escape(call.can)}</td></tr>`

/** GET /api/docs: the calls as a table; /api/docs/openapi.json: the document for tools. Neither needs a script. */
export function mountDocs(app: FastifyInstance, title: string, calls: readonly { name: string; call: Call }[]): void {
  const document = JSON.stringify(openApi(title, calls))
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)} API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#14202b;background:#faf8f4}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #d9d4c8;vertical-align:top}</style>
<h1>${escape(title)} API</h1><p>Every call with the permission that it needs. For tools: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Who may</th></tr></thead><tbody>${calls.map(({ call }) => row(call)).join('')}</tbody></table></html>`
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/api/docs/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
}
