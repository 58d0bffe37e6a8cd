/** File names as insureds, brokers, engineers and carriers send them, with the category that a person gave each. */
const NAMES = `
sov: SOV_2026_Final_v3.xlsx | Harbor Point - Statement of Values 04.01.2026.xlsx | Schedule of Values (updated).xlsx
sov: 2026 Property Schedule.xlsx | Location Schedule 2025-2026.pdf | ABC_SOV2026.xlsm | Property SOV w COPE.xlsx
sov: Statement Of Values - signed.pdf | TIV by location.xlsx | List of locations.csv | Schedule of Locations - Renewal.xlsx
sov: 26-27 SOVs.xlsx | COPE data all buildings.xlsx | Values worksheet 2026.xlsx | Real Estate Schedule 3-1-26.xlsx
sov: Building schedule.xlsx | Copy of 2026 SOV - HP REIT - MASTER (JD edits).xlsx | 2025-2026 Insured Values.xlsx
sov: Exhibit A - Schedule of Insured Locations.pdf | Marketing SOV wind zones.xlsx | Locations & values 7.1.26.xls
sov: Asset list with RCV and BI.xlsx | Property list - all entities.xlsx | sov_export_20260102.csv | SOV Harbor roof updates.xlsx
sov: Master Location Schedule_2026 renewal.xlsx | Acme Hotels SOV 10-1-26 (clean).xlsx | Values by building.xlsx
sov: Addendum to SOV - new acquisitions.xlsx
application: ACORD 125.pdf | Acord125_140 Harbor.pdf | ACORD140-Signed.pdf | Property Application 2026.pdf
application: commercial insurance application.pdf | 2026 Renewal App - signed.pdf | Supplemental Application - Habitational.pdf
application: SL-2 diligent effort Acord 101.pdf | AcordForm_140_Property_Section.pdf | Signed Acords.pdf | App - Signed 2-14-26.pdf
application: Statement of No Loss and App.pdf | 2026 Habitational Supp App.pdf | ACORD 101 Additional Remarks.pdf
submission_letter: Submission Narrative.docx | 2026 Property Submission.pdf | Cover letter to underwriters.docx | BI Worksheet 2026.xlsx
submission_letter: Business Income Worksheet.xlsx | Underwriting submission - Harbor Point.pdf | Executive Summary Harbor Point.pdf
submission_letter: Broker presentation 2026.pptx | Submission Email & Narrative.docx | Account overview - Harbor Point REIT.pptx
submission_letter: BI worksheets all plants.xlsx | Renewal submission cover.pdf | Property program overview 2026.pptx
appraisal: Appraisal Report - 1200 Harbor Dr.pdf | Insurance Appraisal 2024.pdf | Replacement Cost Valuation.pdf
appraisal: RCV estimate bldg 4.pdf | MSB Valuation - Warehouse.pdf | CoreLogic Commercial Express.pdf
appraisal: Marshall & Swift Valuation Summary.pdf | Kroll valuations 2025.pdf | reconstruction cost analysis.pdf
appraisal: BVS_valuation_loc12.pdf | Equipment appraisal (machinery).pdf | Duff & Phelps 2023 Report.pdf
appraisal: CBRE Appraisal_Lakeview Apts.pdf | e2Value 1200 harbor.pdf | 360Value report Loc 4.pdf | Insurable value report - Bldg B.pdf
appraisal: Cost approach valuation (draft).pdf | Replacement Cost New study.pdf | AMVal appraisal summary Plant 3.pdf
appraisal: Marshall Swift calc bldg 2.xlsx
risk_control: Loss Control Survey 2024.pdf | FM Global Risk Report - Reno.pdf | Engineering Report.pdf
risk_control: Property Risk Engineering Report_Plant 2.pdf | LC Report 5-14-2025.pdf | Risk assessment Dallas DC.pdf
risk_control: Zurich Risk Improvement report.pdf | AXA XL property loss prevention report.pdf | Site inspection report.pdf
risk_control: HSB boiler inspection.pdf | Infrared thermography survey.pdf | COPE Survey - Main Plant.pdf
risk_control: Liberty Mutual LP visit 6-2024.pdf | Chubb property survey - Dallas.pdf | FM Global - 004512 - Full Evaluation.pdf
risk_control: Hot work permit program.pdf | GRC site visit report.pdf | Electrical thermographic scan.pdf | PRE report Houston.pdf
risk_control: AFM RiskMark report Tulsa.pdf | Travelers Risk Control visit letter.pdf | XL Catlin Survey Rpt 2023-06.pdf
risk_control: Boiler & machinery inspection certs.pdf
recommendation_response: Response to Recs.pdf | Response to loss control recommendations.docx | Recommendation Responses 2025.pdf
recommendation_response: Rec letter response 24-03.pdf | Recs compliance status.xlsx | Outstanding recommendations.xlsx
recommendation_response: Recs - management response.docx | 24-05 recommendation closeout.pdf | Reply to carrier recommendations.pdf
recommendation_response: Insured response to recs 2025.pdf | Rec tracker.xlsx
loss_run: Loss runs 2021-2026.pdf | Loss Run - Travelers - 5yr.pdf | LossRuns_Chubb.pdf | 5 year loss history.xlsx
loss_run: Property Losses 2019-2024.xlsx | Claims history.pdf | Open claims summary.xlsx | currently valued loss runs.pdf
loss_run: No Known Loss Letter.pdf | Claim detail report AIG.pdf | LR 2023-24 Liberty.pdf | Travelers LR val 1-15-26.pdf
loss_run: GL & Prop loss runs.zip | 10 yr losses.xls | LossRunReport20260115.pdf | Hail claim 2023 adjuster report.pdf
loss_run: Loss Runs-Hartford 20-21, 21-22, 22-23.pdf | Zurich loss runs valued 1.1.26.pdf | Loss Summary 5 yrs.xlsx
loss_run: 2020-2025 claims.xlsx | Hurricane Ian losses by location.xlsx
roof: Roof Report.pdf | Roof Inspection Report 2025.pdf | Roof warranty - 20 yr TPO.pdf | Building 3 re-roof invoice.pdf
roof: Roofing contract.pdf | roof condition assessment loc 7.pdf | Carlisle warranty roof.pdf | Roof ages.xlsx
roof: TPO roof replacement invoice 2022.pdf | Firestone NDL warranty.pdf | Roof_Bldg7_GarlandReport.pdf | new roof permit.pdf
roof: Roof warranty GAF expires 2039.pdf | Roof schedule - age and type.xlsx | Tremco roof scan.pdf
flood: Elevation Certificate.pdf | FEMA Elevation Cert - Bldg A.pdf | Flood zone determination.pdf | EC_1200 Harbor Dr.pdf
flood: LOMA 12-34-5678A.pdf | FIRMette.pdf | ElevCert BldgC.pdf | SFHDF - 450 Mission.pdf | FEMA FIRM panel.pdf | EC - clubhouse.pdf
flood: Flood cert 22 Bay St.pdf | Elevation Certs - all buildings.pdf
emergency_plan: Flood Emergency Response Plan.pdf | Business Continuity Plan.pdf | BCP 2025.docx | Emergency Response Plan.pdf
emergency_plan: Hurricane preparedness plan.pdf | Disaster recovery plan v2.docx | Evacuation plan.pdf | Crisis management.pdf
emergency_plan: Hurricane Plan 2025.pdf | FERP.pdf | BC-DR manual.pdf | Emergency action plan EAP.pdf | Hurricane prep checklist.pdf
policy: NFIP flood policy dec.pdf | Policy 2025-26.pdf | Expiring policy - Zurich.pdf | Binder.pdf | Quote - Lloyds.pdf | Dec page.pdf
policy: Declarations 2025.pdf | Endorsement 4.pdf | Certificate of insurance.pdf | COI Harbor.pdf | EOI lender.pdf
policy: Quotation AmRisc.pdf | Premium allocation.xlsx | Notice of cancellation.pdf | Expiring Property Policy 25-26 Lexington.pdf
policy: Primary 25M quote - Swiss Re.pdf | Binder - AmRisc 8234.pdf | Lender requirements - evidence of ins.pdf | ACORD 28 EOP.pdf
policy: Prior carrier decs.pdf | Schedule of forms.pdf | Lexington policy 26-27.pdf | Quote summary.xlsx | Dec pages all layers.pdf
policy: Excess binder 75M xs 25M.pdf
seismic: Seismic Report.pdf | PML Study 2023.pdf | PML_SanJose.pdf | Seismic retrofit letter.pdf | Structural engineering report.pdf
seismic: Earthquake risk assessment.pdf | SEL-SUL seismic risk assessment ASTM E2026.pdf | EQ modeling PML 2025.pdf
seismic: URM retrofit completion.pdf | Structural Engineer letter SB721.pdf | EBI seismic PML report.pdf
seismic: Soft story retrofit permit.pdf
environmental: Phase I ESA.pdf | Phase 1 Environmental Site Assessment.pdf | PCA report.pdf
environmental: Property Condition Assessment - Lakeview.pdf | PhaseII_ESA_2022.pdf | PCR 2024.pdf | Asbestos survey.pdf
environmental: ESA Phase I - 2019 Update.pdf | Lead-based paint inspection.pdf | Property Condition Report Ph1.pdf | AEI Phase I.pdf
environmental: Mold inspection.pdf | Property Condition Assessment 2025.pdf
fire_protection: Sprinkler Inspection 2025.pdf | NFPA 25 annual inspection.pdf | NFPA25_Q3.pdf | Fire alarm test report.pdf
fire_protection: Fire pump test.pdf | Hydrant flow test.pdf | Annual sprinkler ITM.pdf | Kitchen hood suppression inspection.pdf
fire_protection: Backflow test.pdf | UL central station certificate.pdf | Sprinkler impairment notice.pdf | Fire Sprinkler 5 yr cert.pdf
fire_protection: Hydraulic placard and water supply test.pdf | Simplex Grinnell annual test & inspection.pdf | FACP inspection 2025.pdf
fire_protection: UL cert alarm.pdf | Ansul system semi-annual.pdf | Sprinkler test tag photos.pdf
fire_protection: Fire alarm monitoring certificate.pdf | Quarterly sprinkler insp.pdf | Johnson Controls 5-year internal obstruction.pdf
plans: Site Plan.pdf | Floor plans - Level 2.pdf | A-101 architectural drawings.pdf | As-builts.pdf | Plot plan.dwg | Site map.png
plans: Building layout.pdf | Blueprint mezzanine.pdf | Warehouse drawing rev C.dwg | E-201 Electrical one line.pdf
plans: Diagram w building numbers.pdf | ALTA_Survey.pdf | Mezz floor plan rev2.jpg | Life safety plan.pdf | Site layout w-hydrants.pdf
plans: Warehouse racking drawings.pdf
photo: IMG_4032.jpg | IMG-20250301-WA0004.jpeg | DSC00123.JPG | Photos.zip | Site photos - Reno.pdf | north elevation.jpg | roof.jpg
photo: 20250301_101112.heic | Exterior pictures.pdf | drone images roof.zip | sprinkler riser.png | aerial 2024.jpg
photo: Front of building.jpeg | Drone video.mp4 | WhatsApp Image 2025-03-01 at 10.11.12.jpeg | pics from site visit.zip
photo: 1200 Harbor exterior.jpg | IMG_0001 (2).HEIC | Interior photos bldg 5.zip
lease: Lease agreement.pdf | Executed Lease - Suite 200.pdf | First amendment to lease.pdf | Warranty deed.pdf
lease: Purchase and sale agreement.pdf | PSA - 450 Mission St.pdf | Title commitment.pdf | Closing statement.pdf
lease: Rent roll Q4 2025.xlsx | Rental agreements.pdf | NNN Lease_Tenant A_executed.pdf | Grant Deed 2019.pdf | PSA executed.pdf
lease: HUD-1.pdf | Tenant roster.xlsx | Ground lease.pdf | Deed of trust.pdf | Rent Roll 03-2026.xlsx
financial: 2025 Audited Financial Statements.pdf | Financials FY25.pdf | Balance sheet.xlsx | P&L 2025.xlsx | Income statement 2024.pdf
financial: Annual report 2024.pdf | 10-K.pdf | Profit and loss YTD.xlsx | FS 12-31-25 (audited).pdf | Q3 P&L by property.xlsx
financial: Compilation report 2024 CPA.pdf | 2024 10K.pdf | Audited FS 2025.pdf
correspondence: Email from insured.pdf | RE Renewal questions.msg | Memo to file.docx | Letter from fire marshal.pdf | FW loss runs.eml
correspondence: Correspondence 2025.pdf | BOR letter.pdf | Ltr to Zurich re occupancy change.pdf
correspondence: RE_ Harbor Point - additional info.msg | Meeting notes 3-4.docx | BOR - signed.pdf | Email thread re vacancy.pdf
correspondence: Letter of authorization.pdf
other: Scan0001.pdf | document (3).pdf | Misc.pdf | Untitled.docx | Harbor Point.pdf | 2026-03-01.pdf | Org chart.pdf | W-9.pdf
other: Final.xlsx | Main plant.pdf | Payment schedule.pdf | Site contact list.xlsx | Logo.ai | Construction schedule Q3.pdf
other: Corporate structure.pptx | New folder.zip | Vendor W9.pdf | IRS W9 2026.pdf | Contacts.xlsx | Organization chart.pdf
other: Scan_20260112.pdf | COPE 6.pdf | Building 4 COPE.pdf | COPE data - Mill 2.docx
`

export const DOCUMENT_NAMES = NAMES.trim()
  .split('\n')
  .flatMap((line) => {
    const [category = '', names = ''] = line.split(': ')
    return names.split(' | ').map((name) => ({ category, name }))
  })
