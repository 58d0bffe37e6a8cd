export interface City {
  city: string
  county: string
  state: string
  postal_code: string
  latitude: number
  longitude: number
}

/** City, county, state, a central ZIP code and its position. */
const TABLE = `Phoenix|Maricopa|AZ|85004|33.451|-112.070
Tucson|Pima|AZ|85701|32.217|-110.971
Los Angeles|Los Angeles|CA|90012|34.061|-118.239
San Diego|San Diego|CA|92101|32.719|-117.162
San Jose|Santa Clara|CA|95113|37.334|-121.891
Sacramento|Sacramento|CA|95814|38.580|-121.493
Fresno|Fresno|CA|93721|36.735|-119.784
Denver|Denver|CO|80202|39.750|-104.995
Colorado Springs|El Paso|CO|80903|38.834|-104.814
Miami|Miami-Dade|FL|33130|25.768|-80.203
Orlando|Orange|FL|32801|28.542|-81.375
Tampa|Hillsborough|FL|33602|27.953|-82.457
Jacksonville|Duval|FL|32202|30.326|-81.650
Atlanta|Fulton|GA|30303|33.753|-84.390
Savannah|Chatham|GA|31401|32.075|-81.090
Boise|Ada|ID|83702|43.632|-116.205
Chicago|Cook|IL|60606|41.882|-87.637
Indianapolis|Marion|IN|46204|39.772|-86.157
Louisville|Jefferson|KY|40202|38.253|-85.752
New Orleans|Orleans|LA|70112|29.957|-90.077
Boston|Suffolk|MA|02110|42.357|-71.051
Baltimore|Baltimore City|MD|21202|39.297|-76.607
Detroit|Wayne|MI|48226|42.331|-83.048
Grand Rapids|Kent|MI|49503|42.966|-85.659
Minneapolis|Hennepin|MN|55401|44.985|-93.270
Kansas City|Jackson|MO|64106|39.105|-94.570
St. Louis|St. Louis City|MO|63101|38.631|-90.193
Charlotte|Mecklenburg|NC|28202|35.228|-80.845
Raleigh|Wake|NC|27601|35.774|-78.634
Omaha|Douglas|NE|68102|41.259|-95.934
Newark|Essex|NJ|07102|40.736|-74.173
Albuquerque|Bernalillo|NM|87102|35.082|-106.648
Las Vegas|Clark|NV|89101|36.172|-115.123
Buffalo|Erie|NY|14202|42.887|-78.878
Columbus|Franklin|OH|43215|39.967|-83.004
Cleveland|Cuyahoga|OH|44114|41.507|-81.689
Oklahoma City|Oklahoma|OK|73102|35.471|-97.519
Portland|Multnomah|OR|97204|45.518|-122.674
Philadelphia|Philadelphia|PA|19103|39.953|-75.174
Pittsburgh|Allegheny|PA|15222|40.447|-79.993
Charleston|Charleston|SC|29401|32.779|-79.937
Nashville|Davidson|TN|37203|36.150|-86.790
Memphis|Shelby|TN|38103|35.145|-90.052
Austin|Travis|TX|78701|30.271|-97.742
Dallas|Dallas|TX|75201|32.788|-96.800
Houston|Harris|TX|77002|29.757|-95.365
San Antonio|Bexar|TX|78205|29.424|-98.487
Salt Lake City|Salt Lake|UT|84101|40.756|-111.897
Richmond|Richmond City|VA|23219|37.541|-77.436
Seattle|King|WA|98101|47.611|-122.334
Spokane|Spokane|WA|99201|47.664|-117.432
Milwaukee|Milwaukee|WI|53202|43.047|-87.897`

export const CITIES: readonly City[] = TABLE.split('\n').map((line) => {
  const [city = '', county = '', state = '', postal_code = '', latitude, longitude] = line.split('|')
  return { city, county, state, postal_code, latitude: Number(latitude), longitude: Number(longitude) }
})

const STREET_LINES = `Main St, Market St, Oak Ave, Maple Ave, Washington Blvd, Lincoln Ave, Franklin St, Cedar Ln, Industrial Pkwy
Commerce Dr, Harbor Blvd, Lakeview Dr, Mill Rd, River Rd, Sunset Blvd, Park Ave, Jefferson St, Madison Ave
Walnut St, Chestnut St, Airport Rd, Depot St, Foundry St, Orchard Ln, Ridge Rd, Valley View Dr, College Ave
Station Rd, Union St, Victory Blvd, Prospect Ave, Canal St, Logistics Way, Technology Dr, Meadow Ln, Hillcrest Ave`

export const STREETS: readonly string[] = STREET_LINES.split(/, |\n/)
