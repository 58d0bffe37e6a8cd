import { Skeleton } from '@mantine/core'
import classes from './preview.module.css'

export const LOADING = <Skeleton className={classes['box']} role="status" aria-label="Loading the preview" />
