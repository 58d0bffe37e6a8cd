import type { ExcerptPart } from '#contract/document-texts.ts'
import classes from './excerpt.module.css'

/** A sentence with what was searched marked. Its parts are shown as text, also if they contain HTML. */
export function Excerpt({ place, parts }: { place: string; parts: readonly ExcerptPart[] }) {
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { text }) => sum + text.length, 0))
  return (
    <span className={classes['excerpt']}>
      {place !== '' && <span className={classes['place']}>{place}</span>}
      {parts.map(({ text, is_match }, at) => (is_match ? <mark key={starts[at]}>{text}</mark> : <span key={starts[at]}>{text}</span>))}
    </span>
  )
}
