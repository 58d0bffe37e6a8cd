const DEADLOCK = '40P01'
const TRIES = 3

const isDeadlock = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && error.code === DEADLOCK

/** Runs a transaction again if the database aborted it to resolve a deadlock; at most TRIES times. */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES || !isDeadlock(error)) throw error
    }
  }
}
