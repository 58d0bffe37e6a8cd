import { Button, Stack, Text } from '@mantine/core'
import classes from './preview.module.css'

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
