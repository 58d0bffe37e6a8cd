import { proposeMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { matchRows } from '#server/features/imports/pipeline/match/match-rows.ts'
import { planRows } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import { divestedAlready } from '#server/features/imports/pipeline/plan/divested-already.ts'
import { proposeDivested, proposeMarked } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { settleNumbers } from '#server/features/imports/pipeline/plan/settle-numbers.ts'
import { summarize } from '#server/features/imports/pipeline/plan/summarize.ts'
import { classifySchedule } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { surveySheets } from '#server/features/imports/pipeline/read/survey-sheets.ts'
import { validateRows } from '#server/features/imports/pipeline/validate/validate-rows.ts'

/**
 * An import in five stages: read -> map -> validate -> match -> plan.
 *
 * The stages are pure: they use no database, context or clock, only their arguments. The folder of a stage contains its code.
 * Staging rows, storing the preview, committing and undoing are outside, in `staging/` and `commit/`. Rows come in batches
 * (`AsyncIterable`), since a file may be larger than memory. Every long stage takes `pause`, which lets other work run between rows.
 *
 * What is wrong with a file is never thrown: it is returned as issues of rows. Only what a user enters for the import as a whole (a
 * constant, a change of the mapping) is rejected with an AppError `invalid`, by `constantFields` and `changeMapping`.
 */
export const importPipeline = {
  /** Read, 1: the first rows of every sheet -> every sheet with its header row and score, and the sheets that form the schedule. */
  readSheets: surveySheets,
  /** Read, 2: all rows of the schedule -> the kind of each row that is not a location. Locations go to a callback, which samples them. */
  readRows: classifySchedule,
  /** Map: headers and sampled cells of the columns, and earlier mappings of the company -> one proposal per column, with a score. */
  map: proposeMapping,
  /** Validate: the locations and how to read them -> the values and issues of each row, duplicates within the file included. */
  validate: validateRows,
  /** Match: the validated rows and the register -> for each row a property, a new one, or a match that a user must decide. */
  match: matchRows,
  /** Plan, 1: the matched rows and the mode -> what a commit does with each row. Rows that contradict each other get an error. */
  plan: planRows,
  /** Plan, 2: the sheets that list sold locations -> the properties that a commit marks divested. */
  planDivested: proposeDivested,
  /** Plan, 2: the rows that are marked as ended -> those whose property is divested already. */
  findDivested: divestedAlready,
  /** Plan, 2: the rows that the schedule itself marks as ended -> the same. */
  planMarked: proposeMarked,
  /** Plan, 3: the planned rows and the properties to mark divested -> which location numbers are free. */
  settleNumbers,
  /** Plan, 4: the planned rows -> counts and sums by name, which `presentTally` arranges for the preview. */
  summarize,
} as const
