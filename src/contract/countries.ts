/** ISO 3166-1 alpha-2 codes with the English short name, then other words used in spreadsheets, also in other languages. */
const COUNTRIES_TEXT = `AD Andorra|AE United Arab Emirates;UAE|AF Afghanistan|AG Antigua and Barbuda|AI Anguilla|AL Albania|AM Armenia|AO Angola|AQ Antarctica|AR Argentina;Argentine;Argentinien|AS American Samoa|AT Austria;Österreich;Oesterreich;Autriche|AU Australia|AW Aruba|AX Åland Islands|AZ Azerbaijan
BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|BE Belgium;Belgique;België;Belgien;Bélgica|BF Burkina Faso|BG Bulgaria|BH Bahrain|BI Burundi|BJ Benin|BL Saint Barthélemy|BM Bermuda|BN Brunei Darussalam;Brunei|BO Bolivia|BQ Bonaire, Sint Eustatius and Saba|BR Brazil;Brasil;Brésil;Brasilien|BS Bahamas;The Bahamas|BT Bhutan|BV Bouvet Island|BW Botswana|BY Belarus|BZ Belize
CA Canada;CAN;Kanada|CC Cocos (Keeling) Islands|CD Congo, Democratic Republic|CF Central African Republic|CG Congo|CH Switzerland;Suisse;Schweiz;Svizzera;Suiza;CHE|CI Côte d'Ivoire;Ivory Coast|CK Cook Islands|CL Chile|CM Cameroon|CN China;PRC;Chine|CO Colombia|CR Costa Rica|CU Cuba|CV Cabo Verde;Cape Verde|CW Curaçao|CX Christmas Island|CY Cyprus|CZ Czechia;Czech Republic;Tchéquie;Tschechien;Chequia
DE Germany;Deutschland;DEU;Allemagne;Alemania;Germania|DJ Djibouti|DK Denmark;Danmark;Danemark;Dänemark;Dinamarca|DM Dominica|DO Dominican Republic|DZ Algeria|EC Ecuador|EE Estonia|EG Egypt|EH Western Sahara|ER Eritrea|ES Spain;España;Espagne;Spanien;ESP|ET Ethiopia|FI Finland;Suomi;Finlande;Finnland;Finlandia|FJ Fiji|FK Falkland Islands|FM Micronesia|FO Faroe Islands|FR France;FRA;Frankreich;Francia
GA Gabon|GB United Kingdom;UK;Great Britain;England;Scotland;Wales;Northern Ireland;GBR;Royaume-Uni;Reino Unido;Großbritannien;Vereinigtes Königreich;Angleterre;Inglaterra|GD Grenada|GE Georgia|GF French Guiana|GG Guernsey|GH Ghana|GI Gibraltar|GL Greenland|GM Gambia|GN Guinea|GP Guadeloupe|GQ Equatorial Guinea|GR Greece;Grèce;Griechenland;Grecia|GS South Georgia and the South Sandwich Islands|GT Guatemala|GU Guam|GW Guinea-Bissau|GY Guyana
HK Hong Kong|HM Heard Island and McDonald Islands|HN Honduras|HR Croatia|HT Haiti|HU Hungary;Hongrie;Ungarn;Hungría|ID Indonesia|IE Ireland;Irlande;Irland;Irlanda|IL Israel|IM Isle of Man|IN India|IO British Indian Ocean Territory|IQ Iraq|IR Iran|IS Iceland|IT Italy;Italia;Italie;Italien;ITA|JE Jersey|JM Jamaica|JO Jordan|JP Japan;Japon
KE Kenya|KG Kyrgyzstan|KH Cambodia|KI Kiribati|KM Comoros|KN Saint Kitts and Nevis|KP North Korea|KR South Korea;Korea|KW Kuwait|KY Cayman Islands|KZ Kazakhstan|LA Laos|LB Lebanon|LC Saint Lucia|LI Liechtenstein|LK Sri Lanka|LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg;Luxemburg;Luxemburgo|LV Latvia|LY Libya
MA Morocco|MC Monaco|MD Moldova|ME Montenegro|MF Saint Martin (French part)|MG Madagascar|MH Marshall Islands|MK North Macedonia|ML Mali|MM Myanmar|MN Mongolia|MO Macao|MP Northern Mariana Islands|MQ Martinique|MR Mauritania|MS Montserrat|MT Malta|MU Mauritius|MV Maldives|MW Malawi|MX Mexico;MEX;México;Mexique;Mexiko|MY Malaysia|MZ Mozambique
NA Namibia|NC New Caledonia|NE Niger|NF Norfolk Island|NG Nigeria|NI Nicaragua|NL Netherlands;Holland;The Netherlands;Nederland;Pays-Bas;Niederlande;Países Bajos;NLD|NO Norway;Norge;Norvège;Norwegen;Noruega|NP Nepal|NR Nauru|NU Niue|NZ New Zealand|OM Oman
PA Panama|PE Peru|PF French Polynesia|PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland;Polska;Pologne;Polen;Polonia|PM Saint Pierre and Miquelon|PN Pitcairn|PR Puerto Rico|PS Palestine|PT Portugal|PW Palau|PY Paraguay|QA Qatar|RE Réunion|RO Romania|RS Serbia|RU Russia|RW Rwanda
SA Saudi Arabia|SB Solomon Islands|SC Seychelles|SD Sudan|SE Sweden;Sverige;Suède;Schweden;Suecia|SG Singapore|SH Saint Helena|SI Slovenia|SJ Svalbard and Jan Mayen|SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|SR Suriname|SS South Sudan|ST Sao Tome and Principe|SV El Salvador|SX Sint Maarten|SY Syria|SZ Eswatini
TC Turks and Caicos Islands|TD Chad|TF French Southern Territories|TG Togo|TH Thailand|TJ Tajikistan|TK Tokelau|TL Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|TR Türkiye;Turkey;Turquie;Türkei;Turquía|TT Trinidad and Tobago|TV Tuvalu|TW Taiwan|TZ Tanzania|UA Ukraine|UG Uganda|UM United States Minor Outlying Islands
US United States;USA;U.S.;U.S.A.;United States of America;America;États-Unis;Estados Unidos;Vereinigte Staaten;EE.UU.|UY Uruguay|UZ Uzbekistan|VA Holy See;Vatican|VC Saint Vincent and the Grenadines|VE Venezuela|VG British Virgin Islands|VI Virgin Islands (U.S.)|VN Vietnam|VU Vanuatu|WF Wallis and Futuna|WS Samoa|YE Yemen|YT Mayotte|ZA South Africa|ZM Zambia|ZW Zimbabwe`

const ENTRIES = COUNTRIES_TEXT.split(/[|\n]/).map((entry) => ({ code: entry.slice(0, 2), names: entry.slice(3).split(';') }))

/** Code to name. */
export const COUNTRIES: Readonly<Record<string, string>> = Object.fromEntries(ENTRIES.map(({ code, names }) => [code, names[0] ?? code]))

/** The letters of a text in upper case, to compare names. */
export const lettersOf = (text: string) => text.toUpperCase().replace(/[^\p{L}]/gu, '')
/** Accents are often lost. */
const keyOf = (text: string) => lettersOf(text.normalize('NFKD'))
const BY_WORD = new Map(ENTRIES.flatMap(({ code, names }) => [code, ...names].map((name) => [keyOf(name), code] as const)))

/** The code of a country from its code, name or a usual word such as USA; undefined if there is none. */
export const countryFromText = (text: string): string | undefined => BY_WORD.get(keyOf(text))
