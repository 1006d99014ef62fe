//! The requirements of regulators and what answers them.

use crate::document::words::words;

words! {
    /// The words of the requirements R1 to R24.
    DemandWords {
        section, intro, caption, row, what, status, evidence,
        by_laboratory(found: text, text: text),
        by_customer(found: text, text: text),
        customer_against(text: text),
        by_external(found: text, text: text),
        of_items(items: text, text: text),
        met_for(items: text),
        r1_listed(count: number),
        r1_no, r1_only_data, r2_no, r3_yes, r3_no,
        r4_no(audits: number),
        tests_open, r5_yes, r5_omitted,
        r5_level(levels: text),
        r5_missed(names: text),
        r6_yes,
        r6_external(count: number),
        r6_no, r7_yes, r7_failed, r7_dependent,
        r7_tiers(items: text),
        r8_yes(tables: number),
        r8_no, r9_no, r9_recovered, r9_tried, r10_no, r10_one, r10_none,
        r10_share(share: number),
        r10_inside, r10_common, r10_repeated, r11_no, r12_none, r12_no, r13_no,
        r14_no, r14_broken, r15_no, r16_no, r17_no, r18_ready, r18_no, r19_no, r20_no, r21_no, r22_no,
        r23_none, r23_no,
        r24_yes(tables: number),
        r24_part(tables: number),
        iso_section, iso_caption, iso_note, iso_state, iso_filled, iso_partly, iso_empty, letter,
        content, place, iso_a, iso_b, iso_c, iso_d, iso_e, iso_f, iso_g, iso_h, iso_i, iso_j, iso_k,
        iso_l, iso_m, iso_n, iso_o, iso_p, first_page, every_page, r1, r2, r3, r4, r5, r6, r7, r8, r9,
        r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24,
    }
}
