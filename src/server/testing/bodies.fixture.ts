import type { As } from './app.ts'

/** More at once than the server has connections to the database would be answered 503. */
const AT_ONCE = 24

/** What the calls answer, in lower case; empty if they reject. */
export async function bodies(as: As, paths: readonly string[]) {
  const answers: { path: string; status: number; text: string }[] = []
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const read = paths.slice(start, start + AT_ONCE).map(async (path) => {
      const { status, raw } = await as.get(`/api/v1${path}`)
      return { path, status, text: status < 400 ? raw.toString().toLowerCase() : '' }
    })
    answers.push(...(await Promise.all(read)))
  }
  return answers
}
