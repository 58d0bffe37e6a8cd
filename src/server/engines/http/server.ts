import fastifyHelmet from '@fastify/helmet'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { BODY_MAX_BYTES } from '#contract/limits.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { answerError } from './errors.ts'
import type { AnswerPage } from './page.ts'

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 72_000

const logged = (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions.url ?? 'none', id: request.id })

/** The bare HTTP server: limits, headers, one error handler; routes are mounted on it by app.ts. */
export async function createServer(config: Config, log: Log): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log.child({}, { serializers: { req: logged } })
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxies(config.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(config) },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: config.appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
  readJson(app)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const entry = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (reply.statusCode >= 500) request.log.warn(entry, 'Answered')
    else request.log.debug(entry, 'Answered')
  })
  return app
}

/** So many hops, or these addresses, may say whom they speak for. */
function proxies(trusted: Config['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted
}

/** Documents and maps may come from the configured store and tile server, scripts only from here. */
function contentPolicy(config: Config): Record<string, string[]> {
  const origins = [config.product.tileUrl, config.product.mapStyleUrl, storeOrigin(config.storageUrl)].flatMap((url) =>
    url === undefined ? [] : [new URL(url.replace(/[{}]/g, '')).origin],
  )
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...origins],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...origins],
    manifestSrc: ["'self'"],
    frameSrc: ["'self'", 'blob:'],
    formAction: ["'self'"],
    baseUri: ["'self'"],
    frameAncestors: ["'none'"],
  }
}

function storeOrigin(storageUrl: string | undefined): string | undefined {
  if (storageUrl === undefined) return undefined
  const url = new URL(storageUrl)
  return `${url.searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`
}

/** An empty body is an empty object; invalid UTF-8 is refused instead of silently replaced. */
function readJson(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const text = utf8.decode(body as Buffer) // parseAs: 'buffer'
      done(null, text.trim() === '' ? {} : JSON.parse(text))
    } catch {
      done(Object.assign(new Error('This is not valid JSON.'), { code: 'FST_ERR_CTP_INVALID_JSON_BODY', statusCode: 400 }))
    }
  })
}

/** What no route answers: JSON below the API, otherwise the page. */
export function refuseUnknown(app: FastifyInstance, page: AnswerPage): void {
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    return (wantsPage ? page(request, reply) : undefined) ?? answerError(notFound('What you asked for was'), request, reply)
  })
}
