import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sentenceCase } from '#contract/format.ts'
import { FLAGGED_MODEL } from '#contract/flags.ts'
import { MODELS } from '#contract/models.ts'
import { queries } from '#web/data/queries.ts'
import { FlagItems } from '#web/engines/flags/flag-item.tsx'
import { flaggedRecordPath } from '#web/engines/flags/flagged-record.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'

/** One flag over the list, with links to its record and account and everything that its user can do with it. */
export function FlagPanel({ id }: { id: string }) {
  const query = useQuery(queries.flag(id))
  return (
    <RoutePanel title="Flag" size="small" closeTo={paths.flags()}>
      <PanelContent query={query}>
        {(flag) => (
          <>
            <Facts
              facts={[
                {
                  label: sentenceCase(MODELS[FLAGGED_MODEL[flag.flaggable_type]].one),
                  value: <Link to={flaggedRecordPath(flag)}>{flag.title}</Link>,
                },
                { label: 'Account', value: <Link to={paths.account(flag.account_id)}>{flag.account_name}</Link> },
              ]}
            />
            <FlagItems flags={[flag]} />
          </>
        )}
      </PanelContent>
    </RoutePanel>
  )
}
