import { models, type ListedModel, type RowCalls } from '#web/data/models.ts'

const entries = Object.values(models).map(({ name, calls }): [ListedModel, RowCalls] => [name, calls])

/** What can be done with the rows of each model. */
export const ROW_CALLS = Object.fromEntries(entries) as Readonly<Record<ListedModel, RowCalls>> // fromEntries widens the names to string
