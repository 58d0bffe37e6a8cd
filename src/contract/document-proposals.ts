import { DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from './document-categories.ts'

/** How clearly a phrase names a category. A clearer phrase of another category wins. */
const CLEAR = 3
const LIKELY = 2
const HINT = 1
/** More than a likely phrase and less than a clear one: what the type or the content of the file says. */
const FROM_CONTENT = 2.5
/** The type decides regardless of the name: a message is about other documents, a drawing file is a drawing. */
const CERTAIN = 4

type Phrases = { clear: string; likely?: string; hint?: string }

/** Phrases in file names, lower case, with one space between words and between letters and digits. A plural ending is optional. */
const PHRASES: Readonly<Record<DocumentCategoryCode, Phrases>> = {
  sov: {
    clear:
      'sov, statement of value, schedule of value, property schedule, location schedule, building schedule, real estate schedule, ' +
      'schedule of location, schedule of propert, schedule of building, list of location, location list, property list, building list, asset list, values worksheet, schedule of insured, insured location',
    likely: 'tiv, location value, insured value, property value',
    // A spreadsheet of COPE data is one of all buildings; any other file can be the report about a single one.
    hint: 'schedule, location, value, cope, cope data',
  },
  application: {
    clear: 'acord, application, renewal app, supplemental app, signed app',
    likely: 'supplemental, app, questionnaire',
    hint: 'diligent effort',
  },
  submission_letter: {
    clear:
      'narrative, bi worksheet, business income worksheet, business interruption worksheet, executive summary, cover letter, underwriting submission, ' +
      'property submission, broker presentation',
    likely: 'submission, presentation, overview, pitch',
  },
  appraisal: {
    clear:
      'appraisal, replacement cost, reconstruction cost, marshall swift, marshall and swift, core logic, corelogic, msb, cost estimator, insurable value, e 2 value, 360 value',
    likely: 'rcv, valuation, appraised, kroll, duff phelps',
  },
  risk_control: {
    clear:
      'loss control, loss prevention, risk control, risk engineering, engineering report, engineering survey, risk report, risk improvement, risk survey, ' +
      'lc report, cope survey, fm global, boiler inspection, thermography, thermographic, infrared, jurisdictional inspection, hot work, lp visit, loss prevention visit, pre report, site visit, site survey',
    likely: 'engineering, risk assessment, evaluation, inspection, inspected, survey, fm',
    hint: 'boiler',
  },
  recommendation_response: {
    clear:
      'recommendation response, response to recommendation, response to rec, rec response, rec letter, recs response, rec compliance, recs compliance, ' +
      'recommendation status, rec tracker, recs tracker, outstanding recommendation, open recommendation, response to loss control, response to risk, recommendation compliance',
    likely: 'recommendation, recs',
    hint: 'response',
  },
  loss_run: {
    clear:
      'loss run, lossrun, loss history, loss record, loss experience, loss summary, loss report, claim history, claims history, claim summary, claims summary, ' +
      'claim detail, claims detail, claim run, claims run, known loss, no loss letter, loss letter, property loss, open claim, currently valued, large loss',
    likely: 'losse, claim',
    hint: 'lr',
  },
  roof: {
    clear:
      'roof report, roof inspection, roof survey, roof warranty, roof condition, roof assessment, roof certificate, roof certification, roofing, reroof, re roof',
    likely: 'roof, tpo, epdm, ndl',
  },
  flood: {
    clear:
      'elevation certificate, elevation cert, elev cert, sfhdf, flood, loma, lomr, firm map, firm panel, firmette, fir mette, nfip, base flood, bfe',
    likely: 'fema, elevation, ec',
  },
  seismic: {
    clear: 'seismic, pml, structural engineering, structural report, structural evaluation, structural assessment, earthquake, retrofit',
    likely: 'structural, sel sul',
  },
  environmental: {
    clear:
      'phase i, phase ii, phase 1, phase 2, ph 1, ph 2, esa, pca, pcr, environmental, property condition, asbestos, lead paint, lead based, mold report, mold assessment, mold inspection, radon, ' +
      'underground storage',
    likely: 'mold, ust',
  },
  fire_protection: {
    clear:
      'nfpa, sprinkler inspection, sprinkler report, sprinkler test, sprinkler itm, sprinkler impairment, sprinkler certificate, fire alarm, alarm inspection, ' +
      'alarm certificate, alarm test, central station, fire pump, hydrant, flow test, backflow, fire suppression, suppression inspection, hood suppression, ' +
      'hood cleaning, kitchen hood, ansul, fire inspection, fire extinguisher, extinguisher inspection, impairment, dry pipe, standpipe, monitoring certificate, internal obstruction, ul cert, facp, water supply, hydraulic, simplex, annual test',
    likely: 'sprinkler, alarm, itm, fire protection, extinguisher, suppression',
  },
  plans: {
    clear:
      'floor plan, site plan, plot plan, site map, plan set, blueprint, as built, architectural, drawing, building layout, floor layout, site layout, ' +
      'key plan, roof plan, one line, single line, elevation drawing, survey map, alta survey, alta',
    likely: 'layout, diagram, map, schematic',
    hint: 'plan',
  },
  photo: {
    clear: 'photo, photograph, picture, pic, drone image',
    likely: 'image, img, dsc, dscn, dji, pxl',
  },
  lease: {
    clear:
      'lease, deed, purchase agreement, purchase and sale, sale agreement, psa, title commitment, title insurance, title policy, title report, closing statement, ' +
      'settlement statement, rent roll, rental agreement, tenancy agreement, bill of sale, sublease, estoppel, lease abstract, hud 1, grant deed, tenant roster',
    likely: 'purchase, tenant, title, landlord',
  },
  emergency_plan: {
    clear:
      'business continuity, bcp, emergency response, emergency plan, emergency action, emergency procedure, evacuation, disaster recovery, disaster plan, ' +
      'hurricane plan, hurricane prep, hurricane preparedness, crisis, contingency plan, preparedness, wildfire plan, windstorm plan, pre fire plan, ferp, bc dr, dr plan',
    likely: 'emergency, continuity, disaster',
  },
  financial: {
    clear:
      'financial, balance sheet, income statement, profit and loss, profit loss, p l, annual report, 10 k, 10 q, cash flow, tax return, audited, trial balance, ' +
      'budget, compilation',
  },
  policy: {
    clear:
      'binder, quote, quotation, dec page, dec, declaration, endorsement, certificate of insurance, certificate of property, coi, eoi, evidence of property, ' +
      'evidence of insurance, evidence of ins, eop, acord 28, acord 24, acord 25, acord 75, schedule of form, policy form, policy wording, expiring policy, insurance policy, cancellation, premium, flood policy, proposal, renewal term, indication',
    likely: 'policy, policie, coverage',
    hint: 'insurance, invoice',
  },
  correspondence: {
    clear: 'correspondence, email, e mail, memo, memorandum, bor letter, broker of record, bor, letter from, letter to, fw, fwd',
    likely: 'letter, ltr',
    hint: 'note, re',
  },
  other: { clear: '' },
}

const pattern = (phrases: string): RegExp | null =>
  phrases === '' ? null : new RegExp(` (?:${phrases.split(', ').join('|')})(?:s|es|ies|y)?(?= )`, 'g')

const PATTERNS = DOCUMENT_CATEGORY_CODES.flatMap((code) => {
  const { clear, likely = '', hint = '' } = PHRASES[code]
  return [[CLEAR, clear] as const, [LIKELY, likely] as const, [HINT, hint] as const].flatMap(([weight, phrases]) => {
    const found = pattern(phrases)
    return found === null ? [] : [{ code, weight, found }]
  })
})

type FileKind = 'image' | 'message' | 'drawing' | 'spreadsheet' | 'other'

const KINDS: readonly [FileKind, RegExp][] = [
  ['message', /^message\/|vnd\.ms-outlook|\.(eml|msg)$/i],
  ['drawing', /^image\/vnd\.(dwg|dxf)|\.(dwg|dxf|rvt)$/i],
  ['image', /^(image|video)\/|\.(jpe?g|png|heic|heif|tiff?|webp|gif|bmp|mov|mp4)$/i],
  ['spreadsheet', /spreadsheet|ms-excel|^text\/(csv|tab-separated-values)|\.(xlsx?|xlsm|xlsb|csv|tsv|ods)$/i],
]

const kindOf = (name: string, type: string): FileKind =>
  KINDS.find(([, found]) => found.test(name))?.[0] ?? KINDS.find(([, found]) => found.test(type))?.[0] ?? 'other'

/** Whether the columns of the file may say more than its name. */
export const namesSpreadsheet = ({ path, type }: NewDocument): boolean => kindOf(path, type) === 'spreadsheet'

/** The words of a name in lower case, letters and digits apart: `LossRuns_2024-25.pdf` becomes ` loss runs 2024 25 pdf `. */
export const wordsOfName = (name: string): string =>
  ` ${name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z]{2})/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .trim()} `

interface Match {
  code: DocumentCategoryCode
  weight: number
  /** Characters of the longest phrase that was found. */
  length: number
}

const NO_MATCH: Match = { code: 'other', weight: 0, length: 0 }

/** The clearest category that the words name, by the longest phrase; in the order of the categories if equal. */
function bestMatch(name: string, kind: FileKind, content: readonly Match[] = []): Match {
  const words = wordsOfName(name)
  const matches = PATTERNS.flatMap(({ code, weight, found }): Match[] => {
    // A payment schedule is no schedule of values; a spreadsheet called Schedule usually is.
    if (code === 'sov' && weight === HINT && kind !== 'spreadsheet') return []
    const lengths = [...words.matchAll(found)].map(([text]) => text.length)
    return lengths.length === 0 ? [] : [{ code, weight, length: Math.max(...lengths) }]
  })
  return [...matches, ...content].reduce(
    (best, match) => (match.weight > best.weight || (match.weight === best.weight && match.length > best.length) ? match : best),
    NO_MATCH,
  )
}

export interface NewDocument {
  /** The file name, with its folders if known. */
  path: string
  /** MIME type; '' if unknown. */
  type: string
  /** Whether the file contains a table with the columns of a schedule of values. */
  isSchedule?: boolean
}

/** The category that the name, the type and the content of a document suggest, or `other`. Folders count if the name says nothing. */
export function suggestCategory({ path, type, isSchedule = false }: NewDocument): DocumentCategoryCode {
  const [name = '', ...folders] = path
    .split(/[/\\]/)
    .filter((part) => part.trim() !== '')
    .reverse()
  const kind = kindOf(name, type)
  const best = bestMatch(name, kind, contentMatches(kind, isSchedule))
  if (best.weight >= LIKELY) return best.code
  const inFolder = folders.map((folder) => bestMatch(folder, kind)).find(({ weight }) => weight >= LIKELY)
  return (inFolder ?? best).code
}

function contentMatches(kind: FileKind, isSchedule: boolean): Match[] {
  const match = (code: DocumentCategoryCode, weight: number): Match => ({ code, weight, length: 0 })
  if (isSchedule) return [match('sov', FROM_CONTENT)]
  if (kind === 'message') return [match('correspondence', CERTAIN)]
  if (kind === 'drawing') return [match('plans', CERTAIN)]
  return kind === 'image' ? [match('photo', FROM_CONTENT)] : []
}
