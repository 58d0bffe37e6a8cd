/** A text file has none of these where a message has its headers. */
const HEADERS: ReadonlySet<string> = new Set(
  'from sender to cc bcc reply-to subject date message-id received return-path delivered-to mime-version content-type'.split(' '),
)

/** Whether these headers, in lower case, are those of a message: a parser finds some in any text. */
export const areMessageHeaders = (headers: readonly { key: string }[]): boolean => headers.some(({ key }) => HEADERS.has(key))
