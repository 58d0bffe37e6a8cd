import { importCalls } from '#contract/import-calls.ts'
import { implementLater } from '#server/engines/http/answer.ts'
import { commitImportJob } from './commit.job.ts'
import { prepareImportJob } from './prepare.job.ts'

export const importJobs = [prepareImportJob, commitImportJob] as const

/** Reading and checking schedules is a hundred modules, which start with the first import. */
export const importRoutes = implementLater(importCalls, () => import('./imports.handlers.ts'))
