import type { z } from 'zod'

/** The sentence of a zod issue: a union hides its own behind "Invalid input". */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const deepest = issue.errors.flat().find(({ message }) => !message.startsWith('Invalid input'))
  return deepest === undefined ? issue.message : issueMessage(deepest)
}

/** The first message of each path, as "meta.2.label". */
export function issueMessages(schema: z.ZodType, value: unknown): Record<string, string> {
  const checked = schema.safeParse(value)
  if (checked.success) return {}
  return Object.fromEntries(checked.error.issues.toReversed().map((issue) => [issue.path.join('.'), issueMessage(issue)]))
}
