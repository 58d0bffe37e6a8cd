import { proposeMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { matchRows } from '#server/features/imports/pipeline/match/match-rows.ts'
import { planRows } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import { proposeDivested } from '#server/features/imports/pipeline/plan/propose-divested.ts'
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
  /**
   * Read, 1: which sheets of a workbook form the schedule.
   * In: the first rows of every sheet. Out: every sheet with its header row and score, and the proposed sheets (none if no sheet
   * looks like a schedule).
   */
  readSheets: surveySheets,

  /**
   * Read, 2: which rows of the schedule are locations.
   * In: all rows, the header row of each sheet, the labels of the columns. Out: every other row with its kind (header, total,
   * note, ...). Locations are passed to a callback, which samples their cells for the mapping.
   */
  readRows: classifySchedule,

  /**
   * Map: which field each column contains.
   * In: header and sampled cells of each column, the mappings this company confirmed before, the settings of the file. Out: one
   * proposal per column with a score from 0 to 1; `target` is null where nothing fits.
   */
  map: proposeMapping,

  /**
   * Validate: the values of each row, and what is wrong with them.
   * In: the locations, and a read plan made of the mapping (`observeReadPlan`). Out: fields, custom fields and issues of each row,
   * duplicates within the file included. A value that cannot be read is left out and has an issue.
   */
  validate: validateRows,

  /**
   * Match: which property of the register each row is.
   * In: the validated rows and the indexed register. Out: by row number, a property, a new one, or a match that a user must decide.
   */
  match: matchRows,

  /**
   * Plan, 1: what a commit does with each row.
   * In: the validated rows, their matches, the register and the mode. Out: the same rows with tab, property and changes. Rows that
   * contradict each other get an error.
   */
  plan: planRows,

  /**
   * Plan, 2: which properties a commit marks divested, by the sheets that list sold locations.
   * In: these sheets, the indexed register and the properties that the schedule lists. Out: the proposed properties of each sheet.
   */
  planDivested: proposeDivested,

  /**
   * Plan, 3: the figures of the preview.
   * In: the planned rows, the register and the divested properties. Out: counts by tab, issues by column, and sums before and after.
   */
  summarize,
} as const
