import pg from 'pg'

const { INT8, NUMERIC, FLOAT8, DATE, TEXT } = pg.types.builtins
/** Array types, which pg does not name. */
const [INT8_ARRAY, FLOAT8_ARRAY, DATE_ARRAY, TEXT_ARRAY] = [1016, 1022, 1182, 1009]

/** bigint and numeric are read as numbers: exact to 2^53, enough for cents and ids. A date is 'YYYY-MM-DD', a timestamptz a Date. */
const READ_AS: Readonly<Record<number, number>> = {
  [INT8]: FLOAT8,
  [NUMERIC]: FLOAT8,
  [DATE]: TEXT,
  [INT8_ARRAY]: FLOAT8_ARRAY,
  [DATE_ARRAY]: TEXT_ARRAY,
}
export const types: pg.CustomTypesConfig = { getTypeParser: (oid, format) => pg.types.getTypeParser(READ_AS[oid] ?? oid, format) }

export interface NamedStatement {
  name: string
  text: string
  values: readonly unknown[]
}

export interface Answer<T = object> {
  command: string
  rowCount: number
  rows: T[]
}

/** Reads rows by the description of their columns. */
interface RowReader {
  addFields: (columns: unknown[]) => void
  parseRow: (values: unknown[]) => object
}

/** A connection as the driver has it; its types lack these. */
interface Wire extends Omit<pg.Connection, 'bind' | 'execute' | 'parse' | 'describe'> {
  parsedStatements: Record<string, string>
  /** By the name of a statement. PostgreSQL describes the rows of each once. */
  rowReaders?: Map<string, RowReader>
  parse: (statement: { name: string; text: string }) => void
  bind: (values: { statement: string; values: readonly unknown[] }) => void
  describe: (target: { type: 'P' }) => void
  execute: () => void
}

/** Exported by the driver, but not in its types. */
const driver = pg as unknown as {
  Result: new (rowMode: undefined, types: pg.CustomTypesConfig) => RowReader
  utils: { prepareValue: (value: unknown) => unknown }
}

/** The value of a parameter as it is sent: text, bytes, or null. */
export const sentValue = (value: unknown): unknown => driver.utils.prepareValue(value)

/** Runs prepared statements in one round trip, in order. After an error the later ones do not run. Resolves with the answer of each. */
export async function runBatch(client: pg.ClientBase, statements: readonly NamedStatement[]): Promise<Answer[]> {
  const converted = statements.map(({ values, ...named }) => ({
    ...named,
    values: values.map(sentValue),
  }))
  return new Promise((resolve, reject) => void client.query(new StatementBatch(converted, resolve, reject)))
}

/** The driver calls the methods for each message of PostgreSQL, and remembers the name and text that it reads when a statement was parsed. */
class StatementBatch implements pg.Submittable {
  readonly statements: readonly NamedStatement[]
  private readonly resolve: (answers: Answer[]) => void
  private readonly reject: (error: Error) => void
  private readonly answers: Answer[] = []
  private rows: object[] = []
  private readers = new Map<string, RowReader>()
  private isFailed = false

  constructor(statements: readonly NamedStatement[], resolve: (answers: Answer[]) => void, reject: (error: Error) => void) {
    this.statements = statements
    this.resolve = resolve
    this.reject = reject
  }

  /** Of the statement that is being answered. */
  get name(): string {
    return this.statements[this.answers.length]?.name ?? ''
  }
  get text(): string {
    return this.statements[this.answers.length]?.text ?? ''
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire // see there
    this.readers = wire.rowReaders ??= new Map()
    const sent = new Set<string>()
    wire.stream.cork()
    for (const { name, text, values } of this.statements) {
      const isKnown = sent.has(name)
      sent.add(name)
      if (!isKnown && wire.parsedStatements[name] === undefined) wire.parse({ name, text })
      wire.bind({ statement: name, values })
      if (!isKnown && !this.readers.has(name)) wire.describe({ type: 'P' })
      wire.execute()
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    const reader = new driver.Result(undefined, types)
    reader.addFields(fields)
    this.readers.set(this.name, reader)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const row = this.readers.get(this.name)?.parseRow(fields)
    if (row !== undefined) this.rows.push(row)
  }

  /** The text is a command and its number of rows: "COMMIT", "UPDATE 3", "INSERT 0 1". */
  handleCommandComplete({ text }: { text: string }): void {
    // A statement without rows is not described again.
    if (!this.readers.has(this.name)) this.readers.set(this.name, new driver.Result(undefined, types))
    const [command = '', ...counts] = text.split(' ')
    this.answers.push({ command, rowCount: Number(counts.at(-1) ?? 0), rows: this.rows })
    this.rows = []
  }

  handleError(error: Error): void {
    this.isFailed = true
    this.reject(error)
  }

  handleReadyForQuery(): void {
    if (!this.isFailed) this.resolve(this.answers)
  }
}
