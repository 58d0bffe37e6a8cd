import { Button, Stack, Text } from '@mantine/core'
import classes from './preview.module.css'

/** Of a link for viewing, for a kind of file that browsers do not show: its bytes would be a download. */
export const NOT_FOR_VIEWING = 'This document cannot be shown here. Ask the sender for it.'

/** Why a file is not shown, with the download instead. */
export function NoPreview({ download, reason }: { download?: (() => void) | undefined; reason: string }) {
  return (
    <Stack className={classes['box']} align="center" justify="center" gap="sm">
      <Text c="dimmed" maw={440}>
        {reason}
      </Text>
      {download && (
        <Button variant="default" onClick={download}>
          Download it instead
        </Button>
      )}
    </Stack>
  )
}
