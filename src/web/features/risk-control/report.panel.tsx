import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CHANNELS } from '#contract/events.ts'
import { riskControlCalls, type RiskControl } from '#contract/risk-control.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { ActivitySection } from '#web/engines/activity-list.tsx'
import { FlagSection } from '#web/engines/flags/flag-section.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Recommendations } from './recommendations.tsx'
import classes from './report.module.css'
import { ReportFindings, ReportHead, ReportSources, ReportSummary } from './report-sections.tsx'

interface ReportParams {
  id: string
  prop_id: string
  risk_control_id: string
}

/** One risk control report, as it is read on the screen and on paper. */
export function ReportPanel({ id: accountId, prop_id: propertyId, risk_control_id: id }: ReportParams) {
  const query = useQuery(queries.record('risk_control', id))
  useChannel(CHANNELS.datatable('risk_control'))
  const report = query.data
  return (
    <RoutePanel
      title={report === undefined ? 'Risk control report' : `${String(report.values['report_number'])} · ${String(report.values['title'])}`}
      size="wide"
      closeTo={paths.property(accountId, propertyId)}
      actions={report && <Actions report={report} />}
    >
      <PanelContent query={query}>
        {(shown) => (
          <>
            <ReportHead report={shown} />
            <div className={classes['noPrint']}>
              <FlagSection
                key={`flags ${shown.id}`}
                record={{ account_id: shown.account_id, type: 'risk_control', id: shown.id }}
                notNow={shown.deleted_at === null ? undefined : 'A report in the trash cannot be flagged.'}
              />
            </div>
            <ReportSummary report={shown} />
            <Recommendations report={shown} />
            <ReportFindings report={shown} />
            <ReportSources report={shown} />
            <div className={classes['noPrint']}>
              <ActivitySection key={`activity ${shown.id}`} model="risk_control" id={shown.id} />
            </div>
          </>
        )}
      </PanelContent>
    </RoutePanel>
  )
}

const restore = async (report: RiskControl): Promise<string> => {
  const { message } = await api(riskControlCalls.restore, { body: { ids: [report.id] } })
  invalidateAfterWrite('risk_control', report.id, report.account_id)
  return message
}

function Actions({ report }: { report: RiskControl }) {
  const open = useOpenPanel()
  const can = useCan()
  const { id, account_id: accountId, property_id: propertyId, accessible_features: features } = report
  const remove = useMutation({
    mutationFn: () => api(riskControlCalls.remove, { params: { id } }),
    onSuccess: ({ message }) => {
      invalidateAfterWrite('risk_control', id, accountId)
      const onClick = () => void restore(report).then((restored) => toast.success(restored), showError)
      toast.success(message, { action: { label: 'Undo', onClick } })
      open(paths.property(accountId, propertyId))
    },
    onError: (error) => showError(error),
  })
  const bringBack = useMutation({
    mutationFn: () => restore(report),
    onSuccess: (message) => toast.success(message),
    onError: (error) => showError(error),
  })
  const confirmRemoval = async () => {
    const title = `Delete ${String(report.values['report_number'])}?`
    const message = 'The report with its recommendations is moved to the trash. You can restore it.'
    if (await confirmDialog({ title, message, confirm: 'Delete' })) remove.mutate()
  }
  const mayDelete = features.delete && can('delete_risk_control')
  if (report.deleted_at !== null)
    return mayDelete ? (
      <Button variant="default" loading={bringBack.isPending} onClick={() => bringBack.mutate()}>
        Restore
      </Button>
    ) : null
  return (
    <Group gap="xs" wrap="nowrap">
      {features.update && can('update_risk_control') && (
        <Button variant="default" onClick={() => open(paths.editReport(accountId, propertyId, id))}>
          Edit
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More" loading={remove.isPending}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => window.print()}>Print</Menu.Item>
          {mayDelete && <Menu.Item onClick={() => void confirmRemoval()}>Delete</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
