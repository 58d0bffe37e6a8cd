import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { AppError } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/html.ts'
import { answerError } from './errors.ts'

const SERVER_PATHS = /^\/(api|storage|socket\.io|assets|healthz|readyz|metrics)(\/|$|\?)/
const BUILT_NAME = 'Plumbline'

/** An address that cannot be decoded, such as a link that was cut in a mail, is one of the page, which shows what is wrong. */
export function routedUrl({ method, url = '/' }: IncomingMessage): string {
  if (!url.includes('%') || !isPageRequest(method, url)) return url
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? url)
    return url
  } catch {
    return '/index.html'
  }
}

const isPageRequest = (method = '', url: string): boolean => ['GET', 'HEAD'].includes(method) && !SERVER_PATHS.test(url)

/** Serves the built page, if there is one: all paths of its own router answer its one document, with the product's name in it. */
export async function servePage(app: FastifyInstance, folder: string, productName: string): Promise<void> {
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    answerError(new AppError('not_found', 'There is nothing at this address.'), request, reply)
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(answerNotFound)
    return
  }
  const document = (await readFile(join(folder, 'index.html'), 'utf8'))
    .replaceAll(`>${BUILT_NAME}<`, () => `>${escapeHtml(productName)}<`)
    .replaceAll(`"${BUILT_NAME}"`, () => `"${escapeHtml(productName)}"`)
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(document)
  app.get('/', sendPage)
  app.get('/index.html', sendPage)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['index.html'],
    preCompressed: true,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    return isPageRequest(request.method, request.url) ? sendPage(request, reply) : answerNotFound(request, reply)
  })
}
