import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { WORDING_EXCEPTIONS, WORDING_RULES, type TextKind, type WordingRule } from './wording-rules.ts'

interface Text {
  kind: TextKind
  text: string
  /** Offset of the text in its file. */
  start: number
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const SCRIPT = /\.(?:ts|tsx|js|mjs)$/
const TEST = /\.(?:test|spec)\.\w+$/
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'testNeeding', 'describeNeeding'])
/** A key, a path or a class name: no text that a person reads. */
const KEY = /^(?![A-Z][a-z])\S*$/

/** Migrations up to this number are applied in existing installations, which verify the checksum of each file with its comments. */
const LAST_FIXED_MIGRATION = 16
const isFixedMigration = (path: string): boolean => Number(/\/migrations\/(\d{3})-/.exec(path)?.[1] ?? Infinity) <= LAST_FIXED_MIGRATION

/** Files with texts that the wording rules apply to. */
export const hasWording = (path: string): boolean =>
  /\.(?:ts|tsx|js|mjs|css|sql|md|sh|html)$|(?:^|\/)(?:run|\.env\.example)$/.test(path) &&
  !/\.gen\.ts$|LICENSE|\/testing\/wording[^/]*$/.test(path) &&
  !isFixedMigration(path)

/** Violations of the wording rules in one file, each as `line: "found" in "text"; instead: …`. Path from the project root. */
export function wordingViolations(path: string, source: string): string[] {
  return textsOf(path, source).flatMap((text) =>
    RULES.flatMap(({ rule, expression }) => {
      if (rule.in && !rule.in.includes(text.kind)) return []
      return [...text.text.matchAll(expression)]
        .filter(() => !isException(path, text.text))
        .map((match) => {
          const line = source.slice(0, text.start + match.index).split('\n').length
          return `${line}: "${oneLine(match[0])}" in ${text.kind} "${excerpt(text.text, match.index)}"; instead: ${rule.instead}`
        })
    }),
  )
}

const SKIPPED = /^(?:node_modules|dist|data|\.cache|\.git|test-results|results)$/

/** Files with wording rules below a path of the project; the path may be a file. */
export function wordingFiles(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return hasWording(path) ? [path] : []
  return readdirSync(join(root, path))
    .filter((name) => !SKIPPED.test(name))
    .sort()
    .flatMap((name) => wordingFiles(root, posix.join(path, name)))
}

export const wordingReport = (root: string, paths: readonly string[]): string[] =>
  paths
    .flatMap((path) => wordingFiles(root, posix.normalize(path)))
    .flatMap((path) => wordingViolations(path, readFileSync(join(root, path), 'utf8')).map((violation) => `${path}:${violation}`))

const RULES = WORDING_RULES.map((rule) => ({ rule, expression: expressionOf(rule) }))

function expressionOf({ pattern }: WordingRule): RegExp {
  const anyCase = !/(?<!\\)[A-Z]/.test(pattern)
  return new RegExp(pattern.replaceAll(' ', String.raw`(?:\s|\*|//|--|#)+`), anyCase ? 'gi' : 'g')
}

const isException = (path: string, text: string) =>
  WORDING_EXCEPTIONS.some((exception) => path.startsWith(exception.path) && oneLine(text).includes(exception.text))

const oneLine = (text: string) => text.replace(/\s*\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ')
const excerpt = (text: string, index: number) => oneLine(text.slice(Math.max(0, index - 40), index + 60)).trim()

function textsOf(path: string, source: string): Text[] {
  if (SCRIPT.test(path)) return scriptTexts(path, source)
  if (path.endsWith('.md')) return [{ kind: 'prose', text: blank(source, /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g), start: 0 }]
  if (path.endsWith('.html')) return matches('label', source, />[^<]+</g)
  if (path.endsWith('.css')) return matches('comment', source, /\/\*[\s\S]*?\*\//g)
  if (path.endsWith('.sql')) {
    return [
      ...matches('comment', source, /(?:^[ \t]*--.*\n?)+|--.*$|\/\*[\s\S]*?\*\//gm),
      ...matches('label', source, /'[^'\n]*\s[^'\n]*'/g),
    ]
  }
  return matches('comment', source, /(?:^[ \t]*#.*\n?)+|(?<=\s)#\s.*$/gm)
}

const blank = (source: string, pattern: RegExp) => source.replace(pattern, (found) => found.replace(/[^\n]/g, ' '))
const matches = (kind: TextKind, source: string, pattern: RegExp): Text[] =>
  [...source.matchAll(pattern)].map((match) => ({ kind, text: match[0], start: match.index }))

function scriptTexts(path: string, source: string): Text[] {
  const { program, comments, errors } = parseSync(path, source, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const texts: Text[] = joinedLineComments(source, comments).map(({ start, end }) => ({
    kind: 'comment',
    text: source.slice(start, end),
    start,
  }))
  visit(program as unknown as Node, TEST.test(path), (kind, node) => {
    const text = source.slice(node.start, node.end)
    const value = text.replace(/^['"`]|['"`]$/g, '')
    if (kind === 'name' || !KEY.test(value)) texts.push({ kind, text, start: node.start })
  })
  return texts
}

/** A paragraph written as several line comments is one text, so that a phrase across two lines is found. */
function joinedLineComments(source: string, comments: readonly { type: string; start: number; end: number }[]) {
  const joined: { start: number; end: number; type: string }[] = []
  for (const { type, start, end } of comments) {
    const last = joined.at(-1)
    if (type === 'Line' && last?.type === 'Line' && /^\s*$/.test(source.slice(last.end, start))) last.end = end
    else joined.push({ type, start, end })
  }
  return joined
}

function visit(node: Node, isTest: boolean, found: (kind: TextKind, node: Node) => void): void {
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression' || node.type === 'TSImportType') return
  if ((node.type === 'Literal' && typeof node['value'] === 'string') || node.type === 'TemplateElement' || node.type === 'JSXText') {
    found('label', node)
    return
  }
  const names = isTest && node.type === 'CallExpression' && TEST_FUNCTIONS.has(rootName(node['callee'])) ? firstArgument(node) : undefined
  for (const [key, value] of Object.entries(node)) {
    if (key === 'source' && node.type.startsWith('Export')) continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) visit(child, isTest, child === names ? (_kind, text) => found('name', text) : found)
    }
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** `test` of `test.each(…)`, `test.skipIf(…)` and the like. */
function rootName(callee: unknown): string {
  if (!isNode(callee)) return ''
  if (callee.type === 'Identifier') return String(callee['name'])
  return rootName(callee.type === 'MemberExpression' ? callee['object'] : callee.type === 'CallExpression' ? callee['callee'] : undefined)
}

function firstArgument(call: Node): unknown {
  const first = Array.isArray(call['arguments']) ? (call['arguments'] as unknown[])[0] : undefined
  return isNode(first) && /^(?:Literal|TemplateLiteral)$/.test(first.type) ? first : undefined
}

if (import.meta.main) {
  const report = wordingReport(process.cwd(), process.argv.slice(2))
  process.stdout.write([...report, `${report.length} violations`, ''].join('\n'))
  process.exitCode = report.length > 0 ? 1 : 0
}
