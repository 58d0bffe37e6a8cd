const LINES_A_PAGE = 46
const LINE_CHARACTERS = 92

/** A PDF 1.4 with the given title and lines of Latin text on letter pages, in Helvetica; lines are broken at words. */
export function writePdf(title: string, lines: readonly string[]): Buffer {
  const broken = lines.flatMap(wrapped)
  const pages = Array.from({ length: Math.max(1, Math.ceil(broken.length / LINES_A_PAGE)) }, (_, page) =>
    broken.slice(page * LINES_A_PAGE, (page + 1) * LINES_A_PAGE),
  )
  const first = 5
  const kids = pages.map((_, page) => `${first + page * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(title)}) >>`,
    ...pages.flatMap((page, index) => pageObjects(title, page, first + index * 2, index + 1)),
  ]
  return assembled(objects)
}

function pageObjects(title: string, lines: readonly string[], number: number, page: number): string[] {
  const text = [
    `BT /F1 16 Tf 56 740 Td (${escaped(title)}) Tj ET`,
    `BT /F1 10 Tf 14 TL 56 712 Td ${lines.map((line) => `(${escaped(line)}) Tj T*`).join(' ')} ET`,
    `BT /F1 8 Tf 56 40 Td (Page ${page}) Tj ET`,
  ].join('\n')
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + 1} 0 R >>`,
    `<< /Length ${Buffer.byteLength(text, 'latin1')} >>\nstream\n${text}\nendstream`,
  ]
}

/** Objects with the table of their places, which a reader follows from the end of the file. */
function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = Buffer.byteLength(file, 'latin1')
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = Buffer.byteLength(file, 'latin1')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')

function wrapped(line: string): string[] {
  const broken: string[] = []
  let rest = line
  while (rest.length > LINE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', LINE_CHARACTERS)
    const cut = space > 0 ? space : LINE_CHARACTERS
    broken.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return [...broken, rest]
}
