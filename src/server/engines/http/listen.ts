import type { FastifyInstance } from 'fastify'

/** Opens the port; one that is taken or not allowed becomes a sentence that says what to set. */
export async function listen(server: FastifyInstance, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const reason = REASONS.get(String(code))
    if (reason === undefined) throw error
    throw new Error(`Port ${port} on ${host} ${reason}. Set PORT (or HOST) to another and start again.`, { cause: error })
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'is taken by another program'],
  ['EACCES', 'may not be opened by this user'],
  ['EADDRNOTAVAIL', 'is not an address of this machine'],
])
