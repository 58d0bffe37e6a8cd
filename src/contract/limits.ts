/** Limits and periods of the product, with their units in their names. No other file repeats these numbers. */

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// Sessions (docs/product.md, "Sign-in and sessions")
export const IDLE_CHECK_MS = 30 * SECOND_MS
export const IDLE_WARNING_MS = 58 * MINUTE_MS
export const IDLE_LOGOUT_MS = 60 * MINUTE_MS
export const ACCESS_TOKEN_IDLE_MS = 65 * MINUTE_MS
/** How long a session is cached. */
export const SESSION_CACHE_MS = 1_000
export const SESSION_ABSOLUTE_MS = 12 * HOUR_MS
export const SESSION_REMEMBERED_MS = 30 * DAY_MS
export const REFRESH_REUSE_GRACE_MS = 10 * SECOND_MS
export const KEEP_ALIVE_EVERY_MS = 5 * MINUTE_MS
export const CHALLENGE_LIFE_MS = 10 * MINUTE_MS
export const CHALLENGE_ATTEMPTS = 5
export const CHALLENGE_RESEND_MS = 30 * SECOND_MS
export const RESET_TOKEN_LIFE_MS = 60 * MINUTE_MS
export const WELCOME_LINK_LIFE_MS = 7 * DAY_MS
/** Per account and hour, for all sign-ins and addresses together. */
export const CHALLENGE_CODES_PER_HOUR = 15
export const CHALLENGE_MAILS_PER_HOUR = 5
/** Failures for one email from one network, for one email from unfamiliar addresses (no longer than that), and from one network. */
export const LOGIN_FAILURES_PER_MINUTE = 5
export const LOGIN_FAILURES_PER_EMAIL = 15
export const LOGIN_EMAIL_WINDOW_MS = 15 * MINUTE_MS
export const LOGIN_FAILURES_PER_NETWORK = 100
export const LOGIN_NETWORK_WINDOW_MS = 10 * MINUTE_MS
/** How long a signed-out session is stored. An address is familiar to an account as long as a session of it is stored. */
export const SESSION_HISTORY_MS = 30 * DAY_MS
/** Mails to one recipient, requests for one email from one network, and all requests from one network. */
export const RESET_MAILS_PER_HOUR = 5
/** How often other users can change the password, email or second factor of one user. */
export const SIGN_IN_CHANGES_PER_HOUR = 10
/** Of new users, by the user who adds them. */
export const WELCOME_MAILS_PER_HOUR = 100
export const RECOVERIES_PER_EMAIL_AND_HOUR = 20
export const RECOVERIES_PER_NETWORK_AND_HOUR = 200
export const PASSWORD_MIN_CHARACTERS = 8
export const PASSWORD_MAX_CHARACTERS = 128

// Calls and connection
export const REQUEST_TIMEOUT_MS = 300 * SECOND_MS
export const OFFLINE_PROBE_MS = 30 * SECOND_MS
export const MAINTENANCE_PROBE_MS = 60 * SECOND_MS
export const EXPORT_POLL_MS = 1 * SECOND_MS
/** Open connections of one process, also limited by its open files, and of one network to it. A browser has about six. */
export const CONNECTIONS_MAX = 10_000
export const CONNECTIONS_PER_NETWORK_MAX = 2_000
/** Open sockets of one user, and of one network, on one process. A user has one for each page, a network is often a whole company. */
export const SOCKETS_PER_USER_MAX = 40
export const SOCKETS_PER_NETWORK_MAX = 1_000
/** Sockets that have not signed in yet, of one network and in total. A page signs in as soon as its socket is open. */
export const ANONYMOUS_SOCKETS_PER_NETWORK_MAX = 100
export const ANONYMOUS_SOCKETS_MAX = 1_000
export const SOCKET_RETRY_MAX_MS = 30 * SECOND_MS
export const BODY_MAX_BYTES = 1_048_576
export const PROPERTIES_BODY_MAX_BYTES = 64 * 1_048_576

// Lists
export const PAGE_SIZE = 15
export const PAGE_SIZE_MAX = 9_999
/** The most records that one action changes, and that one export contains. */
export const BULK_ROWS_MAX = 10_000
export const EXPORT_ROWS_MAX = 100_000
/** Pages beyond the end are empty. With the largest pages, offsets stay exact numbers. */
export const PAGE_MAX = 100_000_000_000
export const PAGE_SIZES = [15, 25, 50, 100] as const
export const SEARCH_DEBOUNCE_MS = 500
export const TABLE_SEARCH_DEBOUNCE_MS = 800
export const SEARCH_GROUP_SIZE = 5
export const PROPERTY_SEARCH_SIZE = 100
export const RECENT_SEARCHES_MAX = 8
/** Companies that users find although they do not see them: only by this many letters of the beginning, this many at once, this often. */
export const COMPANY_NAME_PREFIX_MIN = 3
export const COMPANY_NAMES_SHOWN = 5
export const COMPANY_NAME_SEARCHES_PER_HOUR = 300
/** Companies that can be chosen in the form of a subscription; with more of them, each company chooses its own. */
export const SUBSCRIPTION_COMPANIES_MAX = 100
export const SEARCH_MAX_CHARACTERS = 200
export const ACTIVITY_PAGE_SIZE = 15
export const SETTING_MAX_BYTES = 64 * 1024
export const COLUMN_MIN_PX = 48
export const COLUMN_MAX_PX = 1_200
/** Saved views of one list: of a user, and shared within a company. */
export const SAVED_VIEWS_MAX = 50
export const SHARED_VIEWS_MAX = 100
export const VIEW_MAX_BYTES = 16 * 1024
export const ACCOUNT_META_MAX = 20
export const HELP_MESSAGE_MAX = 5_000
export const HELP_STATE_MAX_BYTES = 131_072
export const HELP_REQUESTS_PER_HOUR = 20
/** How long a notification is stored, and how many the dropdown shows. */
export const NOTIFICATION_LIFE_MS = 90 * DAY_MS
export const NOTIFICATIONS_SHOWN = 50
export const NOTIFICATIONS_HIDE_MS = 1_000
export const NOTIFICATION_REMOVE_MS = 250
/** A submission with critical discrepancies is a reminder this many days before its effective date. */
export const SUBMISSION_REMINDER_DAYS = [30, 7] as const
/** Documents that are added within this time are one notification. */
export const NEW_FILES_GROUP_MS = 5 * MINUTE_MS
/** Of a company's logo as it is uploaded, and as it is stored. */
export const LOGO_MAX_BYTES = 10 * 1_048_576
export const LOGO_PIXELS_MAX = 40_000_000
export const LOGO_WIDTH_PX = 512
export const LOGO_HEIGHT_PX = 256
export const LOGO_UPLOAD_TIMEOUT_MS = 30_000
/** What opens while the pointer is over an element remains for this long after it. */
export const HOVER_CLOSE_MS = 401
/** Of each group of a company. */
export const STATUSES_MAX = 50
export const STATUS_SAVE_DEBOUNCE_MS = 900
export const METRIC_CACHE_MS = 5 * MINUTE_MS

// Toasts
export const TOAST_MS = {
  info: 8_000,
  success: 4_000,
  warning: 5_000,
  alert: 10_000,
  global: 3_000,
  throttled: 4_000,
  reset: 6_000,
  /** With a button, such as Undo. */
  withAction: 10_000,
} as const
export const TOAST_STACK = 6

// Layout
export const SIDEBAR_COLLAPSE_PX = 768
export const DROPDOWN_UP_LAST_ROWS = 3
export const COUNT_UP_MS = 2_000
export const DUE_ACCOUNTS_MAX = 50
export const DUE_ACCOUNTS_SHOWN_FIRST = 8
export const FIXES_SHOWN = 7
export const LEGEND_COLUMNS_ABOVE = 5
export const DOUGHNUT_CUTOUT_PERCENT = 70

// Map
/** About 95%: the share of the properties from which on the first view of the map adds no further region. */
export const MAP_FITTED_SHARE = 0.94
export const MAP_DEFAULT_ZOOM = 10
export const MAP_MIN_ZOOM = 4
export const MAP_SINGLE_ZOOM = 5
export const MAP_PADDING_PX = 80
export const MAP_HEIGHT_PX = 550
export const MAP_OVERVIEW_HEIGHT_PX = 650
/** Near the center of the United States. */
export const MAP_DEFAULT_CENTER_DEGREES = { lng: -98.58, lat: 39.83 } as const
export const RESIZE_DEBOUNCE_MS = 250

// Files
export const MULTIPART_ABOVE_BYTES = 104_857_600
export const UPLOAD_MAX_BYTES = 5 * 1024 ** 3
export const UPLOAD_PART_BYTES = 16 * 1024 ** 2
export const UPLOAD_RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 30_000, 120_000, 300_000] as const
export const UPLOAD_LINK_LIFE_MS = 15 * MINUTE_MS
export const UNREGISTERED_LIFE_MS = 24 * HOUR_MS
export const FILES_PER_ACCOUNT_MAX = 10_000
/** Of one document. */
export const FILE_VERSIONS_MAX = 200
export const DOWNLOAD_LINK_LIFE_MS = 60 * SECOND_MS
export const ARCHIVE_LIFE_MS = 7 * DAY_MS
/** How long an expired download is still listed. */
export const ARCHIVE_LISTED_MS = 7 * DAY_MS
export const ARCHIVES_PER_MINUTE = 30
/** Of lists, for one user. */
export const EXPORTS_PER_MINUTE = 30
export const ARCHIVES_LISTED = 200
/** Documents that are not in a download, with their names. */
export const LEFT_OUT_NAMES_MAX = 100
/** A list of more properties is put into an archive by a job. */
export const ARCHIVE_PROPERTIES_AT_ONCE = 5_000
export const DOCUMENT_LIST_PROPERTIES_SHOWN = 10
export const ARCHIVE_PART_CHARACTERS = 80
/** In UTF-8. File systems allow 255 for a name, and a path has two parts of this length. */
export const ARCHIVE_PART_BYTES = 160
export const ARCHIVE_PATH_CHARACTERS = 200
export const ARCHIVE_MULTI_PROPERTY_ABOVE = 5
export const ACTIVITY_GROUP_MS = 10 * MINUTE_MS
export const FILE_NAME_MAX_CHARACTERS = 255
export const UPLOAD_PARTS_MAX = 10_000
export const UPLOAD_IDLE_MS = 30 * SECOND_MS
/** The least that must arrive of a request body in each window. */
export const SLOW_BODY_WINDOW_MS = 20 * SECOND_MS
export const SLOW_BODY_MIN_BYTES = 40_000
export const STORAGE_RETRY_AFTER_SECONDS = 30
/** Of the public page for checking files. An archive of 10,000 documents takes 11 requests. */
export const CHECKSUMS_PER_CHECK_MAX = 1_000
export const CHECKS_PER_NETWORK = 300
export const CHECKS_WINDOW_MS = 10 * MINUTE_MS
/** Up to this size a file is read at once, by the browser's own SHA-256; larger ones in parts. */
export const CHECK_AT_ONCE_BYTES = 32 * 1024 ** 2

// Import (docs/domain.md, "Limits")
export const IMPORT_MAX_BYTES = 50 * 1024 ** 2
export const IMPORT_MAX_ROWS = 50_000
export const IMPORT_MAX_COLUMNS = 300
export const IMPORT_MAX_SHEETS = 30
export const SHEET_MAX_ROWS = 1_048_576
export const IMPORT_MAX_UNPACKED_BYTES = 500 * 1024 ** 2
export const IMPORT_MAX_RATIO = 200
export const IMPORT_HEADER_SCAN_ROWS = 40
/** The last row of a header that follows rows with few filled cells. */
export const IMPORT_HEADER_MAX_ROW = 500
export const IMPORT_SAMPLE_CELLS = 200
export const IMPORT_MAPPED_SCORE = 0.85
export const IMPORT_CONFIRM_SCORE = 0.55
export const CUSTOM_KEYS_MAX = 40

// Reconciliation (docs/domain.md, "Checks")
export const RECONCILE_DEBOUNCE_MS = 5 * SECOND_MS
/** How far ahead the term of an account can begin and end. */
export const EFFECTIVE_YEARS_AHEAD = 3
export const EXPIRATION_YEARS_AHEAD = 13
/** The longest waiver of a discrepancy. */
export const WAIVER_MAX_YEARS = 3
/** A property is compared with at most this many others that share a key (address, weak address, map cell), so a run stays linear. */
export const DUPLICATE_CANDIDATES_MAX = 50

// Risk control reports
export const NEXT_SURVEY_MONTHS = 36
/** From the day on which a recommendation was issued. */
export const RECOMMENDATION_DUE_DAYS = { critical: 30, important: 90, advisory: 180 } as const
export const RECOMMENDATION_DUE_SOON_DAYS = 14
/** A reminder that was missed, as while nothing was running, is sent up to this many days after the due date. */
export const RECOMMENDATION_REMINDER_DAYS = 14
export const RECOMMENDATION_YEARS_AHEAD = 20
export const RECOMMENDATIONS_MAX = 200
export const REPORT_FILES_MAX = 200

// Uploads in the browser
export const UPLOAD_FILES_AT_ONCE = 3
export const UPLOAD_PARTS_AT_ONCE = 2
/** Larger files are not copied into browser storage; after a reload the user selects them again. */
export const UPLOAD_KEEP_MAX_BYTES = 2 * 1024 ** 3
export const UPLOAD_REPORT_EVERY_MS = 150
export const UPLOAD_SPEED_WINDOW_MS = 5 * SECOND_MS

// Flags
export const FLAG_TEXT_MAX_CHARACTERS = 500
export const FLAG_DUE_YEARS_AHEAD = 3
/** How long a closed flag can be reopened. */
export const FLAG_REOPEN_MS = 30 * DAY_MS
/** How often a user can raise flags, several at once counted once, or assign them: both can send mails to others. */
export const FLAGS_PER_HOUR = 300
