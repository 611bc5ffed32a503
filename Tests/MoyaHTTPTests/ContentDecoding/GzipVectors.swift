import Foundation

// Created by Python 3.11 (zlib 1.2.13), gzip 1.12, Node 20 and Java 17, as each name says, from the bytes of Vector.Plain.
extension Vector {
    /// Files in the format of RFC 1952.
    static let gzip: [Vector] = [
        Vector(
            "Python gzip.compress, level 0",
            """
            H4sIAAAAAAAEAwHUASv+eyJpZCI6MCwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6MH0KeyJpZCI6
            MSwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6OTE5fQp7ImlkIjoyLCJuYW1lIjoiTW95YSIsInRh
            Z3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3JlIjo2NzZ9CnsiaWQiOjMsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQi
            XSwic2NvcmUiOjI3MX0KeyJpZCI6NCwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6NzA0fQp7Imlk
            Ijo1LCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3JlIjo5NzV9CnsiaWQiOjYsIm5hbWUiOiJNb3lhIiwi
            dGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjg0fQp7ImlkIjo3LCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0
            Il0sInNjb3JlIjozMX0KXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 1",
            """
            H4sIAAAAAAAEA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 2",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 3",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 4",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 5",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python gzip.compress, level 6",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python gzip.compress, level 7",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python gzip.compress, level 8",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python gzip.compress, level 9",
            """
            H4sIAAAAAAACA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "gzip 1.12 -1, of a file",
            """
            H4sICB0oAmsEA3RleHQudHh0AKtWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMS
            NVoaWsK0GpGo1czcDKbVmEStRuaGMK0mJGo1NzCBaTUlUauluSlMqxmJWi3glpqTqNMY6FMAXKyNL9QBAAA=
            """
        ),
        Vector(
            "gzip 1.12 -6, of a file",
            """
            H4sICB0oAmsAA3RleHQudHh0AKtWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMS
            NVoaWsK0GpGo1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "gzip 1.12 -9, of a file",
            """
            H4sICB0oAmsCA3RleHQudHh0AKtWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMS
            NVoaWsK0GpGo1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "gzip 1.12, of its standard input",
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "java.util.zip.GZIPOutputStream, Java 17",
            """
            H4sIAAAAAAAA/6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "zlib.gzipSync, Node 20",
            """
            H4sIAAAAAAAAA5XPQQrCMBBG4X2O8a+zSJomY3IHTyAuQo3ahU0xAZHSuwvCdD8H+Hi8DfMNyWgs+VWQcK7fDI2eHw3pgmfvKzTaZ753
            XDXaVN8Fyexq+0MrhNFGpoOQBgpMnZAOZJmOQkpmZOqlr+SZBiE9HVESSmd39QNcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python gzip.compress of nothing",
            plain: .empty,
            """
            H4sIAAAAAAACAwMAAAAAAAAAAAA=
            """
        ),
        Vector(
            "Python, 200 bytes of noise",
            plain: .noise,
            """
            H4sIAAAAAAACAwHIADf/pU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw0YL4xIB5p/tqg7ui5mX9cfCmZ/a/lkyU81lSvTfrX
            FCegrrP+6SMvivIhH57kkcWxC+y1Vjv8Hm+TQn7LyP4pVeXNjkbcjtS3wnZNKlpNdncG+F2GkAJK1r2jQBvpyMvMyTX2zR9hImrhUziu
            GjQATTO6DSRqwEyBsbryPjv57vX3nytJNK+H9VILablLDZguhbtVtnKocmN6zXRm/LYODo/xhGOw5LLoISwRyAAAAA==
            """
        ),
        Vector(
            "Python zlib.compressobj, Z_FILTERED",
            """
            H4sIAAAAAAAAA5XPOw6DMBBF0Z5lvNqFzccDswdWgFJYgSQuCBG2hCKLvVMN/Szg6OoWxBlsDb5hXcAYt3+AQQ7vBJ7wyfkHg3TEV8bD
            ID23fQHbsyqIM9gp4eAGobWSevJCGyWtyQltlZRsK7TTvlIn1Ctpf0dJKRt3VhdcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python zlib.compressobj, Z_HUFFMAN_ONLY",
            """
            H4sIAAAAAAAEAwXBMY6DQAxA0Z5j/NpFspuEje/ACRCFBQNMAYOwJYQQd9/3LvKAPoTVloTSlNMQwiZHW+aIDcGPPAad4H3ZE/q4q4s8
            oE9htSWhNOU0hLDJ0ZY5YkPwI49BJ3hf9oR+n9+7usgD+iOstiSUppyGEDY52jJHbAh+5DHoBO/LntBP/bmrizygv8JqS0JpymkIYZOj
            LXPEhuBHHoNO8L7sCf2pn3d1kQf0Jay2JJSmnIYQNjnaMkdsCH7kMegE78ue0PrxuquLPKBvYbUloTTlNISwydGWOWJD8COPQSd4X/aE
            fuv3XV3kAf0Iqy0JpSmnIYRNjrbMERuCH3kMOsH7sif073VXF3lAa2G1JaE05TSEsMnRljliQ/Ajj0EneF/2hP4+7+ofXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python zlib.compressobj, Z_RLE",
            """
            H4sIAAAAAAAEAwXBMY6DQAxA0Z5j/NpFspuEje/ACRCFBQNMAYOwJYQQd9/3LvKAPoTVloTSlNMQwiZHW+aIDcGPPAad4H3ZE/q4q4s8
            oE9htSWhNOU0hLDJ0ZY5YkPwI49BJ3hf9oR+n9+7usgD+iOstiSUppyGEDY52jJHbAh+5DHoBO/LntBP/bmrizygv8JqS0JpymkIYZOj
            LXPEhuBHHoNO8L7sCf2pn3d1kQf0Jay2JJSmnIYQNjnaMkdsCH7kMegE78ue0PrxuquLPKBvYbUloTTlNISwydGWOWJD8COPQSd4X/aE
            fuv3XV3kAf0Iqy0JpSmnIYRNjrbMERuCH3kMOsH7sif073VXF3lAa2G1JaE05TSEsMnRljliQ/Ajj0EneF/2hP4+7+ofXKyNL9QBAAA=
            """
        ),
        Vector(
            "Python zlib.compressobj, Z_FIXED",
            """
            H4sIAAAAAAAEA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "Python zlib.compressobj, with a Z_SYNC_FLUSH and a Z_FULL_FLUSH",
            """
            H4sIAAAAAAAAA6pWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GhHU
            CgAAAP//QtVqZm4G02pMolYjc0OYVhMStZobmMC0miJrBQAAAP//S1TSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PyiVCUrS3PTWq5q
            pcwUJSszHaW8xFygmJJvfmUiYa0WJjCd5iTqNDas5QIAXKyNL9QBAAA=
            """
        ),
        Vector(
            "header by hand: FTEXT",
            """
            H4sIAVpaWloAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAA==
            """
        ),
        Vector(
            "header by hand: FHCRC",
            """
            H4sIAlpaWloAA/zPq1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQa
            kajVzNwMptWYRK1G5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAVysjS/UAQAA
            """
        ),
        Vector(
            "header by hand: FEXTRA",
            """
            H4sIBFpaWloAAwgAQUIEAGRhdGGrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZD
            EjVaGlrCtBqRqNXM3Aym1ZhErUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BXKyNL9QBAAA=
            """
        ),
        Vector(
            "header by hand: FNAME",
            """
            H4sICFpaWloAA25h73ZlLmpzb24Aq1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBG
            QxI1WhpawrQakajVzNwMptWYRK1G5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAVysjS/UAQAA
            """
        ),
        Vector(
            "header by hand: FCOMMENT",
            """
            H4sIEFpaWloAA3R3bwpsaW5lcwCrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZD
            EjVaGlrCtBqRqNXM3Aym1ZhErUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BXKyNL9QBAAA=
            """
        ),
        Vector(
            "header by hand: all five flags",
            """
            H4sIH1paWloAAwgAQUIEAGRhdGFuYe92ZS5qc29uAHR3bwpsaW5lcwCClqtWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkp
            AHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFc
            rI0v1AEAAA==
            """
        ),
        Vector(
            "header by hand: FNAME and FCOMMENT, empty; FEXTRA of no bytes",
            """
            H4sIHFpaWloAAwAAAACrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrC
            tBqRqNXM3Aym1ZhErUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BXKyNL9QBAAA=
            """
        ),
        Vector(
            "two members, by Python",
            ends: [101],
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGtVwAPGD+RuoAAAAfiwgAAAAAAAQDAeoAFf97ImlkIjo0LCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3
            aWZ0Il0sInNjb3JlIjo3MDR9CnsiaWQiOjUsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjk3NX0K
            eyJpZCI6NiwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6ODR9CnsiaWQiOjcsIm5hbWUiOiJNb3lh
            IiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjMxfQo9M1Zn6gAAAA==
            """
        ),
        Vector(
            "two members, by gzip 1.12",
            ends: [101],
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGtVwAPGD+RuoAAAAfiwgAAAAAAAADq1bKTFGyMtFRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKB
            jOT8IqAycwOTWq5qsFZTErVampvCtJqRqNUCbqk5iTqNDWu5AD0zVmfqAAAA
            """
        ),
        Vector(
            "five members, two of them empty",
            ends: [20, 49, 147, 167],
            """
            H4sIAAAAAAAAAwMAAAAAAAAAAAAfiwgAAAAAAAADq1bKTFGyMtBRAgCMw0pOCQAAAB+LCAAAAAAAAAPLS8xNVbJS8s2vTFTSUSpJTC9W
            sopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qpcwUJStDHaU8UjRaGlrCtBqRqNXM3Aym1ZhErUbmhrVcAPBQasfhAAAAH4sIAAAAAAAA
            AwMAAAAAAAAAAAAfiwgAAAAAAAADq1bKTFGyMtFRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAycwOTWq5q
            sFZTErVampvCtJqRqNUCbqk5iTqNDWu5AD0zVmfqAAAA
            """
        ),
        Vector(
            "a member, then zero bytes",
            ends: [130, 131, 132, 133, 134],
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGMK0mJGo1NzCBaTUl1a/mpjCtZiRqtYBbak6iTmOgTwFcrI0v1AEAAAAAAAAA
            """
        ),
        Vector(
            "zero bytes between and after members",
            ends: [101, 102, 103, 104, 204],
            """
            H4sIAAAAAAAAA6tWykxRsjLQUcpLzE1VslLyza9MVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/CKgMoNarmqwRkMSNVoaWsK0GpGo
            1czcDKbVmEStRuaGtVwAPGD+RuoAAAAAAAAfiwgAAAAAAAADq1bKTFGyMtFRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NK
            lGKBjOT8IqAycwOTWq5qsFZTErVampvCtJqRqNUCbqk5iTqNDWu5AD0zVmfqAAAAAA==
            """
        ),
    ]
}
