import pg from 'pg'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'

interface DatabaseServer {
  url: string
  stop(): Promise<void>
}

/** The database of DATABASE_URL, or the embedded one, which is started. Errors are for the user. */
export async function openDatabaseServer(config: Pick<Config, 'databaseUrl' | 'dataDir'>, log: Log): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    await checkConnection(config.databaseUrl)
    return { url: config.databaseUrl, stop: async () => undefined }
  }
  const { startEmbedded } = await import('./embedded.ts')
  return startEmbedded({ dataDir: config.dataDir, log })
}

async function checkConnection(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The database of DATABASE_URL cannot be reached (${reason}). Check that it is running and that the URL is right.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}
