import type { Property } from '#contract/account-properties.ts'
import { PROPERTY_FIELD_NAMES, PROPERTY_SECTIONS, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { HoverNote } from './hover-note.tsx'
import { valueWords } from './property-words.ts'
import { sourceWords } from './source-words.ts'
import classes from './property.module.css'

type SectionName = keyof typeof PROPERTY_SECTIONS
const SECTION_NAMES = Object.keys(PROPERTY_SECTIONS) as SectionName[] // keys of a literal object are exactly its names

/** Core fields always, so that a gap shows; the others when they say something. */
function namesOf(section: SectionName, property: Property): PropertyFieldName[] {
  return PROPERTY_FIELD_NAMES.filter((name) => {
    const field = propertyField(name)
    return field.section === section && (field.level !== 'optional' || (property.values[name] ?? '') !== '')
  })
}

function Value({ property, name, zone }: { property: Property; name: PropertyFieldName; zone: string }) {
  const words = valueWords(name, property.values[name])
  const source = property.sources[name]
  const content = words === '' ? <span className={classes['quiet']}>Not stated</span> : words
  return source === undefined ? (
    content
  ) : (
    <HoverNote note={sourceWords(source, zone)} className={classes['sourced']}>
      {content}
    </HoverNote>
  )
}

/** The values by section; where a value comes from shows on hover and focus. */
export function PropertySections({ property }: { property: Property }) {
  const zone = useSession().auth_user.company.timezone
  const custom = Object.entries(property.custom)
  return (
    <>
      {SECTION_NAMES.map((section) => {
        const names = namesOf(section, property)
        if (names.length === 0) return null
        return (
          <section key={section} className={classes['section']} aria-label={PROPERTY_SECTIONS[section]}>
            <h3>{PROPERTY_SECTIONS[section]}</h3>
            <Facts
              facts={names.map((name) => ({
                label: propertyField(name).label,
                value: <Value property={property} name={name} zone={zone} />,
              }))}
            />
          </section>
        )
      })}
      {custom.length > 0 && (
        <section className={classes['section']} aria-label="Other columns of the import">
          <h3>Other columns of the import</h3>
          <Facts facts={custom.map(([label, value]) => ({ label, value }))} />
        </section>
      )}
    </>
  )
}
