import { fileCheckCalls, type FileCheck } from '#contract/file-check.ts'
import { CHECKSUMS_PER_CHECK_MAX, CHECKS_PER_NETWORK, CHECKS_WINDOW_MS } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'

export type Answers = ReadonlyMap<string, FileCheck>
export type AskStates = (checksums: readonly string[]) => Promise<Answers>

/** At this pace the page never reaches the limit of its network, however many files are dropped on it. */
const PAUSE_MS = CHECKS_WINDOW_MS / CHECKS_PER_NETWORK

interface Question {
  checksums: readonly string[]
  resolve: (answers: Answers) => void
  reject: (error: unknown) => void
}

/** Sends the first request at once, and each later one for all files that were read since the one before. */
export function statesInBatches(): AskStates {
  let questions: Question[] = []
  let nextAt = 0
  const flush = async () => {
    const batch = questions
    questions = []
    nextAt = Date.now() + PAUSE_MS
    try {
      const answers = await request(new Set(batch.flatMap(({ checksums }) => checksums)))
      for (const { resolve } of batch) resolve(answers)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (checksums) =>
    new Promise((resolve, reject) => {
      questions.push({ checksums, resolve, reject })
      if (questions.length === 1) setTimeout(() => void flush(), Math.max(0, nextAt - Date.now()))
    })
}

async function request(checksums: ReadonlySet<string>): Promise<Answers> {
  const all = [...checksums]
  const answers = new Map<string, FileCheck>()
  for (let start = 0; start < all.length; start += CHECKSUMS_PER_CHECK_MAX) {
    const body = { checksums: all.slice(start, start + CHECKSUMS_PER_CHECK_MAX) }
    for (const one of (await api(fileCheckCalls.check, { body })).data) answers.set(one.checksum, one)
  }
  return answers
}
