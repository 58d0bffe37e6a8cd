/** The constant of an import with the factor of one column: of all sheets, or of the one with this index. */
export const columnFactor = (letter: string, sheet?: number): string => `factor_${letter}${sheet === undefined ? '' : `_${sheet}`}`

const NAME = /^factor_([A-Z]+)(?:_\d+)?$/

/** The letter of the column whose factor a constant has; undefined for other constants. */
export const columnOfFactor = (constant: string): string | undefined => NAME.exec(constant)?.[1]

/** The factors of the columns of all sheets, or of the one with this index, by letter. */
export const columnFactors = (constants: Readonly<Record<string, string>>, sheet?: number): Map<string, number> =>
  new Map(
    Object.entries(constants).flatMap(([constant, factor]): [string, number][] => {
      const letter = columnOfFactor(constant)
      return letter !== undefined && constant === columnFactor(letter, sheet) ? [[letter, Number(factor)]] : []
    }),
  )
